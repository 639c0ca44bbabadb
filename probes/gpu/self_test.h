#pragma once

#include <iosfwd>

#include "probes/gpu/cuda_device.h"

namespace cuvier::gpu {

/// Tries what a session relies on and prints a JSON object a line, each with its `ok`.
/// True if all is well.
bool self_test(CudaDevice& device, int ordinal, std::ostream& out);

}  // namespace cuvier::gpu
