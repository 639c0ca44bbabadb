#pragma once

#include <cstdint>

namespace cuvier::gpu {

inline constexpr int contenders = 8;  ///< warps of the one block

/// What the contention kernel reports.
struct ContentionReport {
  std::uint32_t sm;
  std::uint32_t warp_slot[contenders];           ///< %warpid
  std::uint32_t cycles[contenders][contenders];  ///< [i][j], i < j: how long warps i and j took
                                                 ///< for the same arithmetic, both at once
  std::uint32_t done;                            ///< 1 once all else is there
};

/// Two warps of one subpartition share its arithmetic and take twice as long: so which warp slots
/// belong together can be seen. (ContentionReport*), one block of contenders * 32 threads.
const void* contention_kernel();

}  // namespace cuvier::gpu
