#pragma once

#include <vector>

#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {

/// One for each register count, ascending; no local memory.
std::vector<GatedKernel> register_kernels();

/// One for each pair of frame_registers and frame_bytes.
std::vector<GatedKernel> frame_kernels();

}  // namespace cuvier::gpu
