#pragma once

#include <array>

namespace cuvier {

/// Registers per thread of kernels with local memory, ascending: a GPU needs a kernel compiled for
/// each. No GPU has run those of more than 64 yet.
inline constexpr std::array registers_with_local = {16, 24, 32, 40, 48, 56, 64, 96, 128, 168, 255};

inline constexpr int highest_local_level = 10;  ///< 8 KiB

/// Local memory per thread by level: none, then 16 bytes and always twice as much. Only the
/// order of amounts ever matters (scheduler.md section 4), and a GPU needs a kernel compiled
/// for each, so all families draw from these.
constexpr int local_of_level(int level) {
  const int highest = level < highest_local_level ? level : highest_local_level;
  return level == 0 ? 0 : 8 << highest;
}

}  // namespace cuvier
