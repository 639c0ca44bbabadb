#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// A block of a kernel that ran to its end, in seconds of one clock.
struct TimedBlock {
  int sm = 0;
  double start = 0;
  double end = 0;
};

/// A kernel of blocks that ended by themselves, with the host's call that launched it.
struct TimedKernel {
  Kernel kernel;
  double call = 0;
  double returned = 0;
  std::vector<TimedBlock> blocks;  ///< by number
};

/// What others recorded, in our terms.
struct Imported {
  Recording recording;       ///< all that was seen
  std::optional<int> exact;  ///< how many of its steps count, if not all (probes/exact_steps.h)
};

/// The script that happened there, and what was seen of each of its steps: launches, and releases
/// of the blocks that ended. Throws Error, with the times, where they do not tell which action let
/// a block start, or in which order kernels joined the queue.
Imported imported(const std::vector<TimedKernel>& kernels, const std::string& name);

/// Logs of cuda_scheduling_examiner, one for each stream of a scenario (JSON: "times", and in
/// these "block_times", the start and end of each block in seconds, "block_smids", and
/// "cuda_launch_times"). Throws Error with file and field; and where the times do not determine
/// what happened. `registers`: per thread, which the logs do not tell.
Imported import_examiner_logs(const std::vector<std::string>& paths, const Device& device,
                              int registers);

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
