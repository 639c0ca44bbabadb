#pragma once

#include <string>
#include <string_view>

#include "probes/gpu/cuda_check.h"  // with CUDA's declarations

namespace cuvier::gpu {

/// The environment's variable of this name.
std::string setting(const char* name, const std::string& otherwise);

/// What a call of the runtime answers: `error`, unless there is something wrong with the whole
/// device. Remembered for the calling thread's cudaGetLastError.
cudaError_t report(cudaError_t error);

/// As a wild write does: from now on every call reports cudaErrorIllegalAddress.
void break_device();

/// What cudaGetDeviceCount answers: some of what may be wrong from the start shows only later.
cudaError_t report_of_count();

/// Never returns from the call of this kind that is to hang (CUVIER_FAKE_HANGS, _HANGS_AT).
void hang_here(std::string_view kind);

}  // namespace cuvier::gpu
