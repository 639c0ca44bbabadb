#pragma once

#include <iosfwd>

#include "probes/gpu/cuda_device.h"

namespace cuvier::gpu {

/// Tries what a session relies on and prints a JSON object a line as it goes, each with its `ok`:
/// what tells most first. True if all is well.
bool self_test(CudaDevice& device, std::ostream& out);

}  // namespace cuvier::gpu
