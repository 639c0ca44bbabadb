// The part of the CUDA runtime that cuvier-gpu's host code calls, before a fake GPU. With it the
// runner that drives a real GPU runs where there is none: everything but the kernels and what
// only a driver can do. From the environment:
//   CUVIER_FAKE_GPU        a device known to cuvier (default h200)
//   CUVIER_FAKE_MECHANISM  what it follows, as --model takes it (default algorithm-1)
//   CUVIER_FAKE_BREAKS_AT  a grid of so many blocks ends the device as a wild write would
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "probes/gpu/clusters.h"  // with the declarations that are defined here
#include "probes/gpu/gated_kernels.h"
#include "tests/gpu/fake_gpu.h"

namespace cuvier::gpu {
namespace {

constexpr int largest_cluster = 16;
constexpr int refused_cluster = 13;  // promised, but not launched
constexpr int gpcs = 8;
constexpr int first_with_clusters = 90;

cudaError_t last_error = cudaSuccess;
bool broken = false;

cudaError_t report(cudaError_t error) {
  if (broken) error = cudaErrorIllegalAddress;
  if (error != cudaSuccess) last_error = error;
  return error;
}

std::string setting(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

int capability(const Device& device) { return std::stoi(device.architecture.substr(3)); }

/// TPCs are dealt out to GPCs in turn, which a runner has to find out.
int gpc_of(int sm) { return sm / 2 % gpcs; }

/// What a runner finds is known to the mechanism beforehand.
Device fake_device() {
  Device device = find_device(setting("CUVIER_FAKE_GPU", "h200"));
  if (capability(device) < first_with_clusters) return device;
  for (int sm = 0; sm < device.sms; ++sm) device.gpc_of_sm.push_back(gpc_of(sm));
  return device;
}

FakeGpu& fake() {
  // Its thread runs until the end.
  static FakeGpu& gpu = *new FakeGpu(
      fake_device(), hypothesis_from_text(setting("CUVIER_FAKE_MECHANISM", "algorithm-1")));
  return gpu;
}

/// A kernel's address, and no more: nobody calls it.
std::array<char, 1024> tags;
std::size_t tags_taken = 0;

const void* tag() { return &tags.at(tags_taken++); }

std::optional<GatedKernel> kernel_at(const void* function) {
  static const std::vector<GatedKernel> all = [] {
    std::vector<GatedKernel> kernels = register_kernels();
    for (const GatedKernel& kernel : frame_kernels()) kernels.push_back(kernel);
    return kernels;
  }();
  for (const GatedKernel& kernel : all) {
    if (kernel.function == function) return kernel;
  }
  return std::nullopt;
}

int cluster_size(const cudaLaunchConfig_t& config) {
  return static_cast<int>(config.attrs[0].val.clusterDim.x);
}

/// The SMs of a GPC, mates beside each other.
std::vector<int> sms_of(int gpc) {
  std::vector<int> sms;
  for (int sm = 0; sm < fake().device().sms; ++sm) {
    if (gpc_of(sm) == gpc) sms.push_back(sm);
  }
  return sms;
}

/// Each cluster in the next GPC, from another SM of it each time.
void report_clusters(const cudaLaunchConfig_t& config, std::uint32_t* sm_of_block) {
  static int turn = 0;
  const int size = cluster_size(config);
  for (unsigned first = 0; first < config.gridDim.x; first += size) {
    const std::vector<int> sms = sms_of(turn % gpcs);
    for (int i = 0; i < size; ++i) {
      sm_of_block[first + i] = sms[(2 * (turn / gpcs) + i) % sms.size()];
    }
    ++turn;
  }
}

}  // namespace

std::vector<GatedKernel> register_kernels() {
  static const std::vector<GatedKernel> kernels = [] {
    std::vector<GatedKernel> all;
    for (int count = fewest_registers; count <= most_registers; ++count) {
      all.push_back({tag(), count, 0});
    }
    return all;
  }();
  return kernels;
}

std::vector<GatedKernel> frame_kernels() {
  static const std::vector<GatedKernel> kernels = [] {
    std::vector<GatedKernel> all;
    for (const int count : frame_registers) {
      for (const int bytes : frame_bytes) all.push_back({tag(), count, bytes});
    }
    return all;
  }();
  return kernels;
}

const void* cluster_kernel() {
  static const void* kernel = tag();
  return kernel;
}

}  // namespace cuvier::gpu

using namespace cuvier;
using namespace cuvier::gpu;

extern "C" {

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaError";
}
const char* cudaGetErrorString(cudaError_t) { return "said by a fake"; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return report(cudaSuccess);
}

cudaError_t cudaSetDevice(int ordinal) {
  return report(ordinal == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return report(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceGetPCIBusId(char*, int, int) { return report(cudaErrorNotSupported); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  const Device& device = fake().device();
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "%s", device.name.c_str());
  properties->major = capability(device) / 10;
  properties->minor = capability(device) % 10;
  properties->multiProcessorCount = device.sms;
  properties->warpSize = 32;
  properties->maxThreadsPerMultiProcessor = device.max_warps_per_sm * 32;
  properties->maxThreadsPerBlock = device.max_threads_per_block;
  return report(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  const Device& device = fake().device();
  switch (attribute) {
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = device.max_blocks_per_sm;
      return report(cudaSuccess);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = device.registers_per_sm;
      return report(cudaSuccess);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = device.max_shared_per_block;
      return report(cudaSuccess);
    default:
      return report(cudaErrorInvalidValue);
  }
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return report(cudaSuccess);
}

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  *memory = std::calloc(bytes, 1);
  return report(*memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return report(cudaSuccess);
}

cudaError_t cudaFreeHost(void* memory) {
  std::free(memory);
  return report(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(new int(0));
  return report(cudaSuccess);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  *stream = reinterpret_cast<cudaStream_t>(new int(priority));
  return report(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return report(fake().idle(stream) ? cudaSuccess : cudaErrorNotReady);
}

// Nobody waits for more than clusters, which have been before their launch returns.
cudaError_t cudaStreamSynchronize(cudaStream_t) { return report(cudaSuccess); }
cudaError_t cudaDeviceSynchronize() { return report(cudaSuccess); }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const auto kernel = kernel_at(function);
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->numRegs = kernel->registers;
  attributes->localSizeBytes = kernel->local;
  attributes->maxThreadsPerBlock = fake().device().max_threads_per_block;
  return report(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute, int) {
  const bool known = function == cluster_kernel() || kernel_at(function);
  return report(known ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  const auto kernel = kernel_at(function);
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  if (std::to_string(grid.x) == setting("CUVIER_FAKE_BREAKS_AT", "")) broken = true;
  if (broken) return report(cudaErrorIllegalAddress);
  FakeLaunch launch;
  launch.kernel.blocks = static_cast<int>(grid.x);
  launch.kernel.threads = static_cast<int>(block.x);
  launch.kernel.registers = kernel->registers;
  launch.kernel.local = kernel->local;
  launch.kernel.shared = static_cast<int>(shared);
  launch.kernel.priority = *reinterpret_cast<int*>(stream);
  launch.stream = stream;
  std::memcpy(&launch.gate, arguments[0], sizeof launch.gate);
  fake().launch(std::move(launch));
  return report(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveClusters(int* count, const void*,
                                           const cudaLaunchConfig_t* config) {
  const int size = cluster_size(*config);
  if (capability(fake().device()) < first_with_clusters || size > largest_cluster) {
    return report(cudaErrorInvalidClusterSize);
  }
  *count = 0;
  for (int gpc = 0; gpc < gpcs; ++gpc) *count += static_cast<int>(sms_of(gpc).size()) / size;
  return report(cudaSuccess);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (function != cluster_kernel()) return report(cudaErrorInvalidDeviceFunction);
  if (cluster_size(*config) == refused_cluster) return report(cudaErrorInvalidClusterSize);
  report_clusters(*config, *static_cast<std::uint32_t**>(arguments[0]));
  return report(cudaSuccess);
}

}  // extern "C"
