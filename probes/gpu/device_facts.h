#pragma once

#include <string>

#include "probes/device.h"

namespace cuvier::gpu {

/// The facts that the driver and the architecture give; SM groups are left unknown.
Device read_facts(int ordinal);

/// Whether MPS shares the GPU among processes, as far as the driver says.
bool shared_by_mps(int ordinal);

/// "driver 13.0, runtime 13.0"
std::string cuda_versions();

}  // namespace cuvier::gpu
