#include <cstdint>

#include "probes/gpu/clusters.h"
#include "probes/gpu/gated_kernel.cuh"

namespace cuvier::gpu {
namespace {

/// Says on which SM each block is, and stays a little, so that clusters spread.
__global__ void report_sm(std::uint32_t* sm_of_block, std::uint64_t stay_ns) {
  if (threadIdx.x != 0) return;
  sm_of_block[blockIdx.x] = sm_id();
  const std::uint64_t start = device_time_ns();
  while (device_time_ns() - start < stay_ns) {
  }
}

}  // namespace

const void* cluster_kernel() { return reinterpret_cast<const void*>(&report_sm); }

}  // namespace cuvier::gpu
