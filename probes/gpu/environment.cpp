#include "probes/gpu/environment.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <string>

namespace cuvier::gpu {

void set_environment(int connections) {
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", std::to_string(connections).c_str(), 1);
  ::unsetenv("CUDA_LAUNCH_BLOCKING");
}

std::string loading_mode() {
  constexpr unsigned first_version = 11070;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  if (cudaGetDriverEntryPointByVersion("cuModuleGetLoadingMode", &function, first_version,
                                       cudaEnableDefault, &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess) {
    cudaGetLastError();
    return "unknown: the driver has no cuModuleGetLoadingMode";
  }
  CUmoduleLoadingMode mode{};
  if (reinterpret_cast<decltype(&cuModuleGetLoadingMode)>(function)(&mode) != CUDA_SUCCESS) {
    return "unknown: the driver does not say";
  }
  return mode == CU_MODULE_EAGER_LOADING ? "eager" : "lazy";
}

}  // namespace cuvier::gpu
