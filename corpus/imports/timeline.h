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

}  // namespace cuvier
