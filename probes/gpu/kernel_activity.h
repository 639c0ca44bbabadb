#pragma once

#include <vector>

namespace cuvier::gpu {

// CUPTI's kernel records, where its library can be loaded: the shared-memory configuration that
// each launch ran with.

/// Must be called before the first CUDA call that they are to see. Throws Failure(unsupported)
/// where CUPTI is not there or refuses.
void record_configs();

/// Of the kernels that completed since the last call, in launch order: bytes.
std::vector<int> take_configs();

}  // namespace cuvier::gpu
