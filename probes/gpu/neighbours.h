#pragma once

#include <string>

namespace cuvier::gpu {

/// Other work on the same GPU, as NVML tells it, in words: "1 other process". Empty: none is
/// seen, or there is no NVML to ask.
std::string neighbours_of(int ordinal);

}  // namespace cuvier::gpu
