#pragma once

#include <optional>
#include <string>

#include "probes/device.h"

namespace cuvier::gpu {

/// The facts that the driver and the architecture give; SM groups are left unknown.
Device read_facts(int ordinal);

/// "GPU-8f3c...", as nvidia-smi writes it.
std::string uuid_of(int ordinal);

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

/// What NVML tells of a GPU beside what CUDA does. Each as far as it answers.
struct NvmlStatus {
  std::string driver;               ///< "580.95.05"
  std::optional<bool> mig;          ///< whether the GPU is cut into instances
  std::optional<bool> persistence;  ///< whether the driver stays up without a process
  int compute_processes = 0;        ///< with our own
  int graphics_processes = 0;
};

/// Nothing where there is no NVML to ask.
std::optional<NvmlStatus> ask_nvml(int ordinal);

/// Other work on the same GPU, in words: "1 other process". Empty: none is seen.
std::string neighbours_of(const std::optional<NvmlStatus>& status);

}  // namespace cuvier::gpu
