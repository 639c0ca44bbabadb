#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// What a table does not tell of a launch.
struct Launched {
  int threads = 0;    ///< per block
  int registers = 0;  ///< per thread
  int shared = 0;     ///< dynamic, per block, bytes
  /// How many of its blocks an SM holds at once. Blocks start in the order of their numbers, so the
  /// first one that finds its SM full with these waited, and so did all behind it: of these nothing
  /// is recorded. Without it, all were resident at once.
  std::optional<int> blocks_per_sm;
};

/// Reads a table of comma-separated values: a line of column names, then a line for each block, in
/// any order. Columns `block` (or block_id) and `sm` (sm_id, smid); if there are, `kernel`, and
/// `cluster_size`, the number of blocks in a cluster; others are not looked at. Lines that agree in
/// these two are one launch on an idle device, and one recording. Throws Error with file and line.
std::vector<Recording> import_placements(const std::string& path, const Device& device,
                                         const Launched& launched);

}  // namespace cuvier
