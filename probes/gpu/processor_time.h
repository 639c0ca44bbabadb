#pragma once

#include <chrono>

namespace cuvier::gpu {

/// How long threads of this process were ready to run and did not, all of them together; 0 where
/// the kernel keeps no account (proc(5), schedstat).
std::chrono::nanoseconds time_without_processor();

}  // namespace cuvier::gpu
