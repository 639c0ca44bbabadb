#include "probes/gpu/device_facts.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>

#include "probes/gpu/cuda_check.h"
#include "probes/gpu/watchdog.h"

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

// NVML's ABI, as far as we call it: its header is not everywhere that its library is.
struct NvmlProcess {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};
using NvmlDevice = void*;
using NvmlInit = int (*)();
using NvmlByBus = int (*)(const char*, NvmlDevice*);
using NvmlProcesses = int (*)(NvmlDevice, unsigned*, NvmlProcess*);
using NvmlMig = int (*)(NvmlDevice, unsigned* current, unsigned* pending);
using NvmlMode = int (*)(NvmlDevice, unsigned*);
using NvmlVersion = int (*)(char*, unsigned);

constexpr int nvml_success = 0;
constexpr int nvml_insufficient_size = 7;
constexpr int nvml_function_not_found = 13;
constexpr int bus_id_length = 32;
constexpr int version_length = 96;

/// Of one library and one device in it: each question in the words of the caller.
class Nvml {
 public:
  explicit Nvml(void* library) : library_(library) {}

  template <class Function, class... Arguments>
  bool ask(const char* name, Arguments... arguments) const {
    return call<Function>(name, arguments...) == nvml_success;
  }

  int processes(const char* name, NvmlDevice device) const {
    std::array<NvmlProcess, 64> running{};
    unsigned count = running.size();
    const int result = call<NvmlProcesses>(name, device, &count, running.data());
    // It counts those, too, for which there is no room.
    const bool counted = result == nvml_success || result == nvml_insufficient_size;
    return counted ? static_cast<int>(count) : 0;
  }

 private:
  template <class Function, class... Arguments>
  int call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Function>(dlsym(library_, name));
    return function == nullptr ? nvml_function_not_found : function(arguments...);
  }

  void* library_;
};

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

std::string uuid_of(int ordinal) {
  cudaDeviceProp properties;
  watched("read the device's properties",
          [&] { return cudaGetDeviceProperties(&properties, ordinal); });
  std::string uuid = "GPU-";
  for (int byte = 0; byte < 16; ++byte) {
    if (byte == 4 || byte == 6 || byte == 8 || byte == 10) uuid += '-';
    uuid += fmt::format("{:02x}", static_cast<unsigned char>(properties.uuid.bytes[byte]));
  }
  return uuid;
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

std::optional<NvmlStatus> ask_nvml(int ordinal) {
  const Watch watch("ask NVML about the GPU");
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  const Nvml nvml(library);
  std::array<char, bus_id_length> bus{};
  NvmlDevice device = nullptr;
  if (cudaDeviceGetPCIBusId(bus.data(), bus_id_length, ordinal) != cudaSuccess ||
      !nvml.ask<NvmlInit>("nvmlInit_v2") ||
      !nvml.ask<NvmlByBus>("nvmlDeviceGetHandleByPciBusId_v2", bus.data(), &device)) {
    return std::nullopt;
  }
  NvmlStatus status;
  std::array<char, version_length> version{};
  if (nvml.ask<NvmlVersion>("nvmlSystemGetDriverVersion", version.data(), version_length)) {
    status.driver = version.data();
  }
  unsigned mode = 0;
  unsigned pending = 0;
  if (nvml.ask<NvmlMig>("nvmlDeviceGetMigMode", device, &mode, &pending)) status.mig = mode != 0;
  if (nvml.ask<NvmlMode>("nvmlDeviceGetPersistenceMode", device, &mode)) {
    status.persistence = mode != 0;
  }
  status.compute_processes = nvml.processes("nvmlDeviceGetComputeRunningProcesses_v3", device);
  status.graphics_processes = nvml.processes("nvmlDeviceGetGraphicsRunningProcesses_v3", device);
  return status;
}

std::string neighbours_of(const std::optional<NvmlStatus>& status) {
  if (!status) return {};
  // In a container we appear under another id, if at all: one process is taken to be ours.
  const int computing = status->compute_processes > 0 ? status->compute_processes - 1 : 0;
  std::string words;
  if (computing > 0) {
    words = fmt::format("{} other compute process{}", computing, computing == 1 ? "" : "es");
  }
  if (status->graphics_processes > 0) {
    words += fmt::format("{}{} with graphics (a display, say)", words.empty() ? "" : ", ",
                         status->graphics_processes);
  }
  return words;
}

}  // namespace cuvier::gpu
