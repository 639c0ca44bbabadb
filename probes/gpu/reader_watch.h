#pragma once

namespace cuvier::gpu {

/// Ends the process soon after nobody can read its standard output any more: whoever asked is
/// gone, and a GPU is not to be kept busy for nobody. Its input's end is seen where it is read.
void end_without_reader();

}  // namespace cuvier::gpu
