#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "probes/gpu/watchdog.h"

namespace cuvier::gpu {

/// Throws Failure unless the call succeeded; `what` was being done ("launch k1"). What
/// leaves the context unusable is device_lost, what the driver refuses is unsupported; where
/// there is no GPU to ask, the failure's exit code says why.
void check(cudaError_t error, const std::string& what);

/// Makes a call that may block, under the watchdog's eyes, and checks it.
template <class Call>
void watched(const std::string& what, Call call) {
  cudaError_t error = cudaSuccess;
  {
    const Watch watch(what);
    error = call();
  }
  check(error, what);
}

/// Throws Failure unless the GPU with this ordinal is there and its driver answers.
void expect_gpu(int ordinal);

}  // namespace cuvier::gpu
