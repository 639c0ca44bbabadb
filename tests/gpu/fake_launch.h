#pragma once

#include <optional>

#include "probes/gpu/clusters.h"  // with CUDA's declarations

namespace cuvier::gpu {

/// A launch of gated blocks, in clusters or not, as the driver takes it.
cudaError_t launch_gated_blocks(const void* function, dim3 grid, dim3 block, void** arguments,
                                std::size_t shared, cudaStream_t stream,
                                std::optional<int> cluster);

}  // namespace cuvier::gpu
