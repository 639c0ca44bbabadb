#include "probes/gpu/clusters.h"

#include <algorithm>

#include "probes/gpu/cuda_check.h"

namespace cuvier::gpu {
namespace {

constexpr std::uint64_t stay_ns = 20'000;

}  // namespace

Clusters::Clusters(const Device& device) : device_(device) {
  const void* kernel = cluster_kernel();
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
        "allow clusters of any size");
  // With all of an SM's shared memory, each block has an SM of its own.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             device.max_shared_per_block),
        "use all shared memory");
  check(cudaHostAlloc(reinterpret_cast<void**>(&sms_), capacity() * sizeof(*sms_),
                      cudaHostAllocMapped),
        "allocate memory for a cluster's SMs");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
}

int Clusters::most_active(int size) {
  int count = 0;
  const cudaLaunchConfig_t config = config_of(size, 1);
  if (cudaOccupancyMaxActiveClusters(&count, cluster_kernel(), &config) != cudaSuccess) {
    cudaGetLastError();  // so that the next call does not report it
    return 0;
  }
  return count;
}

std::vector<std::vector<int>> Clusters::launch(int size, int count) {
  count = std::min(count, capacity() / size);
  const cudaLaunchConfig_t config = config_of(size, count);
  std::uint32_t* target = nullptr;
  check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&target), sms_, 0), "map memory");
  std::uint64_t stay = stay_ns;
  void* arguments[] = {&target, &stay};
  check(cudaLaunchKernelExC(&config, cluster_kernel(), arguments), "launch clusters");
  check(cudaStreamSynchronize(stream_), "run clusters");
  std::vector<std::vector<int>> clusters;
  for (int c = 0; c < count; ++c) clusters.emplace_back(sms_ + c * size, sms_ + (c + 1) * size);
  return clusters;
}

cudaLaunchConfig_t Clusters::config_of(int size, int count) {
  attribute_ = {};
  attribute_.id = cudaLaunchAttributeClusterDimension;
  attribute_.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(size * count);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = device_.max_shared_per_block;
  config.stream = stream_;
  config.attrs = &attribute_;
  config.numAttrs = 1;
  return config;
}

}  // namespace cuvier::gpu
