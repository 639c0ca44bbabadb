#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace cuvier::gpu {

/// Throws Failure unless the call succeeded; `what` was being done ("launch k1"). What
/// leaves the context unusable is device_lost, what the driver refuses is unsupported.
void check(cudaError_t error, const std::string& what);

}  // namespace cuvier::gpu
