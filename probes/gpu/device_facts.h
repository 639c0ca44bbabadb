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

/// As many as there can be: streams that share one wait for each other.
inline constexpr int most_connections = 32;

/// Sets what CUDA reads from the environment when it starts, whatever was there: eager loading
/// (a kernel that is loaded at its first launch makes the whole device wait), so many connections
/// to the device, launches that do not block.
void set_environment(int connections);

/// "eager", "lazy", or why nobody can say: by the driver's own word. CUDA must have started.
std::string loading_mode();

}  // namespace cuvier::gpu
