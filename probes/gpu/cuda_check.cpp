#include "probes/gpu/cuda_check.h"

#include <fmt/format.h>

#include "probes/gpu/failure.h"

namespace cuvier::gpu {
namespace {

FailureCode code_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorNotSupported:
    case cudaErrorInvalidClusterSize:
      return FailureCode::unsupported;
    case cudaErrorMemoryAllocation:
      return FailureCode::internal;
    default:
      return FailureCode::device_lost;  // no device, no driver, or a broken context
  }
}

struct Absence {
  int exit_code = exit_lost;
  std::string words;  ///< and what to do; empty: nothing beyond the error's own
};

std::string version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

/// Without a driver the runtime says that it is too old.
Absence driver_too_old() {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (driver == 0) return {exit_no_device, "no GPU here: no NVIDIA driver is loaded"};
  return {exit_driver_too_old,
          fmt::format("the driver is too old: it knows CUDA {}, and this program needs {}; get a "
                      "newer driver, or build with an older toolkit",
                      version(driver), version(CUDART_VERSION))};
}

Absence absence_of(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return {exit_no_device, "no GPU here"};
    case cudaErrorInsufficientDriver:
      return driver_too_old();
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return {exit_driver_too_old,
              "the driver's parts are of different versions; load the kernel module that belongs "
              "to the library, or restart the machine"};
    case cudaErrorSystemNotReady:
      return {exit_not_ready,
              "the GPU is not ready: its fabric manager has not finished or does not run; wait, "
              "or see `systemctl status nvidia-fabricmanager`"};
    case cudaErrorOperatingSystem:
    case cudaErrorNotPermitted:
      return {exit_no_permission,
              "no permission to use the GPU; look at who may open /dev/nvidia*"};
    case cudaErrorDevicesUnavailable:
      return {exit_busy,
              "the GPU is taken: another process has it for itself, or its compute mode forbids "
              "ours; see `nvidia-smi`"};
    default:
      return {};
  }
}

}  // namespace

void check(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // so that the next call does not report it again
  const Absence absence = absence_of(error);
  throw Failure(
      code_of(error),
      fmt::format("{}cannot {}: {}, {}", absence.words.empty() ? "" : absence.words + " (", what,
                  cudaGetErrorName(error), cudaGetErrorString(error)) +
          (absence.words.empty() ? "" : ")"),
      absence.exit_code);
}

void expect_gpu(int ordinal) {
  int count = 0;
  watched("count the GPUs", [&] { return cudaGetDeviceCount(&count); });
  if (count == 0) throw Failure(FailureCode::device_lost, "no GPU here", exit_no_device);
  if (ordinal < count) return;
  throw Failure(
      FailureCode::device_lost,
      fmt::format("no GPU has the number {}: this machine's go from 0 to {}", ordinal, count - 1),
      exit_usage);
}

}  // namespace cuvier::gpu
