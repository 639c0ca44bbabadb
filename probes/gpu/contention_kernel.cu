#include "probes/gpu/contention.h"
#include "probes/gpu/gated_kernel.cuh"

namespace cuvier::gpu {
namespace {

constexpr int chains = 8;  // enough to keep a subpartition's arithmetic busy from one warp
constexpr int rounds = 1024;

/// Independent chains of multiplications and additions; how many cycles they took.
__device__ std::uint32_t work(float seed, float& result) {
  float value[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) value[c] = seed + c;
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int c = 0; c < chains; ++c) value[c] = value[c] * seed + 1.0F;
  }
  const long long end = clock64();
#pragma unroll
  for (int c = 0; c < chains; ++c) result += value[c];
  return static_cast<std::uint32_t>(end - begin);
}

__global__ void __launch_bounds__(contenders * 32) contend(ContentionReport* report) {
  __shared__ std::uint32_t took[contenders];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const bool speaks = threadIdx.x % 32 == 0;
  if (speaks) report->warp_slot[warp] = warp_slot();
  if (threadIdx.x == 0) report->sm = sm_id();
  float result = 0;
  for (int i = 0; i < contenders; ++i) {
    for (int j = i + 1; j < contenders; ++j) {
      __syncthreads();
      if (warp == i || warp == j) {
        const std::uint32_t cycles = work(1.0F / (1 + threadIdx.x), result);
        if (speaks) took[warp] = cycles;
      }
      __syncthreads();
      if (threadIdx.x == 0) report->cycles[i][j] = took[i] > took[j] ? took[i] : took[j];
    }
  }
  // Never so, but the compiler does not know: the arithmetic has to be done.
  if (result == -1.0F) report->sm = ~0U;
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence_system();
  static_cast<volatile ContentionReport*>(report)->done = 1;
}

}  // namespace

const void* contention_kernel() { return reinterpret_cast<const void*>(&contend); }

}  // namespace cuvier::gpu
