#pragma once

#include <cstdint>

/// Which warps share arithmetic units, by how long two of them take at once.
namespace cuvier::gpu {

inline constexpr int contenders = 8;  ///< warps of the one block

/// What the contention kernel writes, in memory that host and device share.
struct ContentionReport {
  std::uint32_t sm;
  std::uint32_t warp_slot[contenders];           ///< %warpid
  std::uint32_t cycles[contenders][contenders];  ///< [i][j], i < j: how long warps i and j took
                                                 ///< for the same arithmetic, both at work at once
  std::uint32_t done;                            ///< 1 once all else is there
};

/// (ContentionReport*), one block of contenders * 32 threads.
const void* contention_kernel();

}  // namespace cuvier::gpu
