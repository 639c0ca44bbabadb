#include "probes/gpu/cuda_check.h"

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

}  // namespace

void check(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // so that the next call does not report it again
  throw Failure(code_of(error), "cannot " + what + ": " + cudaGetErrorName(error) + ", " +
                                    cudaGetErrorString(error));
}

}  // namespace cuvier::gpu
