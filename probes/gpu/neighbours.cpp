#include "probes/gpu/neighbours.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

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

constexpr int nvml_success = 0;
constexpr int bus_id_length = 32;

template <class Function>
Function resolve(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

std::string neighbours_of(int ordinal) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {};
  const auto init = resolve<NvmlInit>(library, "nvmlInit_v2");
  const auto by_bus = resolve<NvmlByBus>(library, "nvmlDeviceGetHandleByPciBusId_v2");
  const auto processes = resolve<NvmlProcesses>(library, "nvmlDeviceGetComputeRunningProcesses_v3");
  std::array<char, bus_id_length> bus{};
  if (!init || !by_bus || !processes ||
      cudaDeviceGetPCIBusId(bus.data(), bus_id_length, ordinal) != cudaSuccess) {
    return {};
  }
  NvmlDevice device = nullptr;
  std::array<NvmlProcess, 64> running{};
  unsigned count = running.size();
  if (init() != nvml_success || by_bus(bus.data(), &device) != nvml_success ||
      processes(device, &count, running.data()) != nvml_success) {
    return {};
  }
  // In a container we appear under another id, if at all: one process is taken to be ours.
  const unsigned others = count > 0 ? count - 1 : 0;
  if (others == 0) return {};
  return fmt::format("{} other process{}", others, others == 1 ? "" : "es");
}

}  // namespace cuvier::gpu
