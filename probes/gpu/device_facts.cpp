#include "probes/gpu/device_facts.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "probes/gpu/cuda_check.h"

namespace cuvier::gpu {
namespace {

/// Shared-memory configurations in KiB; the driver does not tell them.
std::vector<int> config_kib(int capability) {
  switch (capability) {
    case 75:
      return {32, 64};
    case 80:
    case 87:
      return {0, 8, 16, 32, 64, 100, 132, 164};
    case 86:
    case 89:
    case 120:
    case 121:
      return {0, 8, 16, 32, 64, 100};
    default:
      break;
  }
  if (capability < 75) return {0, 8, 16, 32, 64, 96};
  return {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
}

int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, ordinal), "read the device's limits");
  return value;
}

}  // namespace

Device read_facts(int ordinal) {
  cudaDeviceProp properties;
  watched("read the device's properties",
          [&] { return cudaGetDeviceProperties(&properties, ordinal); });
  const int capability = properties.major * 10 + properties.minor;
  Device device;
  device.name = properties.name;
  device.architecture = fmt::format("sm_{}", capability);
  device.sms = properties.multiProcessorCount;
  device.max_blocks_per_sm = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, ordinal);
  device.max_warps_per_sm = properties.maxThreadsPerMultiProcessor / properties.warpSize;
  device.max_threads_per_block = properties.maxThreadsPerBlock;
  device.registers_per_sm = attribute(cudaDevAttrMaxRegistersPerMultiprocessor, ordinal);
  device.max_shared_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal);
  for (const int kib : config_kib(capability)) device.shared_configs.push_back(kib * 1024);
  return device;
}

bool shared_by_mps(int ordinal) {
  constexpr auto mps_enabled = static_cast<cudaDeviceAttr>(133);  // older toolkits have no name
  int value = 0;
  if (cudaDeviceGetAttribute(&value, mps_enabled, ordinal) == cudaSuccess) return value != 0;
  cudaGetLastError();  // an older driver does not know it either
  return false;
}

std::string cuda_versions() {
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "read the driver's version");
  check(cudaRuntimeGetVersion(&runtime), "read the runtime's version");
  return fmt::format("CUDA driver {}.{}, runtime {}.{}", driver / 1000, driver % 1000 / 10,
                     runtime / 1000, runtime % 1000 / 10);
}

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
