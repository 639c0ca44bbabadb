#pragma once

#include <optional>

#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {

/// The gated kernel at this address, with what the fake driver says that it uses.
std::optional<GatedKernel> gated_kernel_at(const void* function);

/// Whether there is a kernel at this address.
bool is_kernel(const void* function);

}  // namespace cuvier::gpu
