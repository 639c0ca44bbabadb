// The part of the CUDA runtime that cuvier-gpu's host code calls, before a fake GPU. With it the
// runner that drives a real GPU runs where there is none: everything but the kernels and what
// only a driver can do. From the environment:
//   CUVIER_FAKE_GPU        a device known to cuvier, or a .json file (default h200)
//   CUVIER_FAKE_MECHANISM  what it follows, as --model takes it (default algorithm-1)
//   CUVIER_FAKE_UNKIND     what of a real device's and driver's behaviour it shows (default
//                          nothing): kinds of Unkindness as tests/gpu/manners.h has them, or all,
//                          separated by commas; -KIND takes one away again (all,-bad_smid)
//   CUVIER_FAKE_SEED       a number: what is drawn for them (default 1)
//   CUVIER_FAKE_ERROR      the device cannot be had: driver_too_old, no_device, system_not_ready,
//                          no_permission, permission_withdrawn or device_unavailable; all but the
//                          last two show in cudaGetDeviceCount
//   CUVIER_FAKE_HANGS      a call that never returns: stream_query, stream_create, launch,
//                          device_synchronize, func_attributes, func_set_attribute, or clusters
//                          (the launch of some)
//   CUVIER_FAKE_HANGS_AT   which call of this kind (default 1, the first)
//   CUVIER_FAKE_BREAKS_AT  a grid of so many blocks ends the device as a wild write would
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "probes/gpu/clusters.h"
#include "tests/gpu/fake_device.h"
#include "tests/gpu/fake_kernels.h"
#include "tests/gpu/fake_launch.h"
#include "tests/gpu/mishaps.h"

namespace cuvier::gpu {
namespace {

constexpr int clock_khz = 1'980'000;
constexpr int mps_enabled = 133;  // a cudaDeviceAttr that older toolkits have no name for

/// What a cudaStream_t points to.
struct FakeStream {
  int priority = 0;
  int connection = 0;
  bool used = false;
};

cudaError_t create_stream(cudaStream_t* stream, int priority) {
  hang_here("stream_create");
  if (manners().has(Unkindness::slow_stream)) fake().wait_until_idle();
  static const int connections = std::stoi(setting("CUDA_DEVICE_MAX_CONNECTIONS", "8"));
  static int made = 0;
  const int connection = manners().has(Unkindness::shared_connections) ? made % connections : made;
  ++made;
  *stream = reinterpret_cast<cudaStream_t>(new FakeStream{priority, connection, false});
  return report(cudaSuccess);
}

Kernel described(const GatedKernel& kernel, int blocks, int threads, std::size_t shared) {
  Kernel described;
  described.blocks = blocks;
  described.threads = threads;
  described.registers = kernel.registers;
  described.local = kernel.local;
  described.shared = static_cast<int>(shared);
  return described;
}

/// What the driver does about a launch of gated blocks.
void launch_gated(FakeLaunch launch, FakeStream& stream, bool first_of_kernel) {
  const Manners::Call call = manners().launch_call(!std::exchange(stream.used, true),
                                                   fake().changes_carve_out(launch.kernel));
  std::this_thread::sleep_for(call.before);
  if (first_of_kernel) std::this_thread::sleep_for(manners().first_of_kernel());
  fake().launch(std::move(launch));
  std::this_thread::sleep_for(call.after);
}

/// Of the driver API, which hands out no declarations here: CUresult(CUmoduleLoadingMode*).
int loading_mode(int* mode) {
  constexpr int eager = 1;
  constexpr int lazy = 2;
  *mode = setting("CUDA_MODULE_LOADING", "") == "EAGER" ? eager : lazy;
  return 0;
}

}  // namespace

cudaError_t launch_gated_blocks(const void* function, dim3 grid, dim3 block, void** arguments,
                                std::size_t shared, cudaStream_t stream,
                                std::optional<int> cluster) {
  const auto kernel = gated_kernel_at(function);
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  FakeStream& on = *reinterpret_cast<FakeStream*>(stream);
  FakeLaunch launch;
  launch.kernel = described(*kernel, grid.x, block.x, shared);
  launch.kernel.priority = on.priority;
  launch.kernel.cluster = cluster;
  launch.stream = stream;
  launch.connection = on.connection;
  std::memcpy(&launch.gate, arguments[0], sizeof launch.gate);
  static std::set<std::pair<const void*, bool>> launched;
  const bool is_first = launched.insert({function, cluster.has_value()}).second;
  if (is_first && manners().has(Unkindness::slow_kernel)) {
    std::fprintf(stderr, "fake CUDA: first launch of a kernel\n");
  }
  launch_gated(std::move(launch), on, is_first);
  return report(cudaSuccess);
}

}  // namespace cuvier::gpu

using namespace cuvier;
using namespace cuvier::gpu;

extern "C" {

// The runner yields between two looks at the device, which then is not late, however busy this
// machine is: a real one does not share the host's processors.
int sched_yield() noexcept {
  ::syscall(SYS_sched_yield);
  fake().catch_up();
  return 0;
}

cudaError_t cudaGetDeviceCount(int* count) {
  const cudaError_t error = report_of_count();
  *count = error == cudaSuccess ? 1 : 0;
  return error;
}

cudaError_t cudaSetDevice(int ordinal) {
  return report(ordinal == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

// Versions can be read where nothing else can.
cudaError_t cudaDriverGetVersion(int* version) {
  const bool too_old = setting("CUVIER_FAKE_ERROR", "") == "driver_too_old";
  *version = too_old ? CUDART_VERSION / 1000 * 1000 - 1000 : CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char*, int, int) { return report(cudaErrorNotSupported); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  const Device& device = fake().device();
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "%s", device.name.c_str());
  properties->major = capability() / 10;
  properties->minor = capability() % 10;
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
    case cudaDevAttrComputeMode:
      *value = cudaComputeModeDefault;
      return report(cudaSuccess);
    case cudaDevAttrClockRate:
      *value = clock_khz;
      return report(cudaSuccess);
    case static_cast<cudaDeviceAttr>(mps_enabled):
      *value = manners().has(Unkindness::mps) ? 1 : 0;
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
  return create_stream(stream, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  return create_stream(stream, priority);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  hang_here("stream_query");
  return report(fake().idle(stream) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  fake().wait_until_idle(stream);
  return report(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
  hang_here("device_synchronize");
  fake().wait_until_idle();
  return report(cudaSuccess);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  hang_here("func_attributes");
  const auto kernel = gated_kernel_at(function);
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->numRegs = kernel->registers;
  attributes->localSizeBytes = kernel->local;
  attributes->maxThreadsPerBlock = fake().device().max_threads_per_block;
  return report(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  hang_here("func_set_attribute");
  static std::set<int> said;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout && said.insert(value).second) {
    std::fprintf(stderr, "fake CUDA: kernels prefer %d %% of shared memory\n", value);
  }
  return report(is_kernel(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared) {
  const auto kernel = gated_kernel_at(function);
  if (!kernel) return report(cudaErrorInvalidDeviceFunction);
  *blocks = fake().most_on_one_sm(described(*kernel, 1, threads, shared));
  return report(cudaSuccess);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  hang_here("launch");
  if (std::to_string(grid.x) == setting("CUVIER_FAKE_BREAKS_AT", "")) break_device();
  const cudaError_t error = report(cudaSuccess);
  if (error != cudaSuccess) return error;
  return launch_gated_blocks(function, grid, block, arguments, shared, stream, std::nullopt);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  const bool known = std::string_view(name) == "cuModuleGetLoadingMode";
  *function = known ? reinterpret_cast<void*>(&loading_mode) : nullptr;
  if (result != nullptr) {
    *result = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  }
  return report(cudaSuccess);
}

}  // extern "C"
