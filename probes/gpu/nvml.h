#pragma once

#include <optional>
#include <string>

namespace cuvier::gpu {

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
