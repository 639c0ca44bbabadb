#pragma once

#include <string>

namespace cuvier::gpu {

/// As many as there can be: streams that share one wait for each other.
inline constexpr int most_connections = 32;

/// Sets what CUDA reads from the environment when it starts, whatever was there: eager loading
/// (a kernel that is loaded at its first launch makes the whole device wait), so many connections
/// to the device, launches that do not block.
void set_environment(int connections);

/// "eager", "lazy", or why nobody can say: by the driver's own word. CUDA must have started.
std::string loading_mode();

}  // namespace cuvier::gpu
