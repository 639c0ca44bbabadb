#pragma once

namespace cuvier {

inline constexpr int highest_local_level = 10;  ///< 8 KiB

/// Local memory per thread by level: none, then 16 bytes and always twice as much. Only the
/// order of amounts ever matters (scheduler.md section 4), and a GPU needs a kernel compiled
/// for each, so all families draw from these.
constexpr int local_of_level(int level) {
  const int highest = level < highest_local_level ? level : highest_local_level;
  return level == 0 ? 0 : 8 << highest;
}

}  // namespace cuvier
