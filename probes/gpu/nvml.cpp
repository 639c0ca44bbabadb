#include "probes/gpu/nvml.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "probes/gpu/watchdog.h"

namespace cuvier::gpu {
namespace {

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
constexpr int bus_id_length = 32;
constexpr int version_length = 96;

/// Of one library and one device in it: each question in the words of the caller.
class Nvml {
 public:
  explicit Nvml(void* library) : library_(library) {}

  template <class Function, class... Arguments>
  bool ask(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Function>(dlsym(library_, name));
    return function != nullptr && function(arguments...) == nvml_success;
  }

  int processes(const char* name, NvmlDevice device) const {
    std::array<NvmlProcess, 64> running{};
    unsigned count = running.size();
    return ask<NvmlProcesses>(name, device, &count, running.data()) ? static_cast<int>(count) : 0;
  }

 private:
  void* library_;
};

}  // namespace

std::optional<NvmlStatus> ask_nvml(int ordinal) {
  const Watchdog::Watch watch("ask NVML about the GPU");
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
