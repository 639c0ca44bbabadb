#include "tests/gpu/mishaps.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "probes/error.h"

namespace cuvier::gpu {
namespace {

std::atomic<bool> broken{false};
thread_local cudaError_t last_error = cudaSuccess;

/// What each call but cudaGetDeviceCount reports; that one only where the driver fails before it
/// has looked for devices.
struct ErrorAtStart {
  std::string_view name;
  cudaError_t error;
  bool counts_devices;
};
constexpr std::array errors_at_start = {
    ErrorAtStart{"driver_too_old", cudaErrorInsufficientDriver, false},
    ErrorAtStart{"no_device", cudaErrorNoDevice, false},
    ErrorAtStart{"system_not_ready", cudaErrorSystemNotReady, false},
    ErrorAtStart{"no_permission", cudaErrorOperatingSystem, false},
    ErrorAtStart{"permission_withdrawn", cudaErrorNotPermitted, true},
    ErrorAtStart{"device_unavailable", cudaErrorDevicesUnavailable, true},
};

const ErrorAtStart* at_start() {
  static const ErrorAtStart* const found = []() -> const ErrorAtStart* {
    const std::string name = setting("CUVIER_FAKE_ERROR", "");
    for (const ErrorAtStart& row : errors_at_start) {
      if (row.name == name) return &row;
    }
    if (!name.empty()) throw Error("CUVIER_FAKE_ERROR: no error is called " + name);
    return nullptr;
  }();
  return found;
}

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};
constexpr std::array error_texts = {
    ErrorText{cudaSuccess, "cudaSuccess", "no error"},
    ErrorText{cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    ErrorText{cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    ErrorText{cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
              "CUDA driver version is insufficient for CUDA runtime version"},
    ErrorText{cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
              "CUDA-capable device(s) is/are busy or unavailable"},
    ErrorText{cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction",
              "invalid device function"},
    ErrorText{cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    ErrorText{cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    ErrorText{cudaErrorOperatingSystem, "cudaErrorOperatingSystem",
              "OS call failed or operation not supported on this OS"},
    ErrorText{cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    ErrorText{cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
              "an illegal memory access was encountered"},
    ErrorText{cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    ErrorText{cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    ErrorText{cudaErrorSystemNotReady, "cudaErrorSystemNotReady", "system not yet initialized"},
    ErrorText{cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize",
              "cluster size is not supported"},
};

const ErrorText& text_of(cudaError_t error) {
  for (const ErrorText& row : error_texts) {
    if (row.error == error) return row;
  }
  static constexpr ErrorText other = {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};
  return other;
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace

std::string setting(const char* name, const std::string& otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

cudaError_t report(cudaError_t error) {
  if (const ErrorAtStart* row = at_start()) error = row->error;
  if (broken) error = cudaErrorIllegalAddress;
  return remember(error);
}

cudaError_t report_of_count() {
  const ErrorAtStart* row = at_start();
  return row != nullptr && !row->counts_devices ? remember(row->error) : cudaSuccess;
}

void break_device() { broken = true; }

void hang_here(std::string_view kind) {
  static const std::string hanging = setting("CUVIER_FAKE_HANGS", "");
  static const int at = std::stoi(setting("CUVIER_FAKE_HANGS_AT", "1"));
  static std::atomic<int> calls{0};
  if (kind != hanging || ++calls != at) return;
  std::fprintf(stderr, "fake CUDA: %s hangs\n", hanging.c_str());
  for (;;) std::this_thread::sleep_for(std::chrono::hours{1});
}

}  // namespace cuvier::gpu

extern "C" {

cudaError_t cudaGetLastError() { return std::exchange(cuvier::gpu::last_error, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t error) { return cuvier::gpu::text_of(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return cuvier::gpu::text_of(error).text; }

}  // extern "C"
