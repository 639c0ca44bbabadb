#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "hypotheses/scheduler/wait.h"
#include "probes/observation.h"

namespace cuvier {

/// Where a hypothesis puts the blocks of a probe in a fresh session, and what waits for what.
struct Placements {
  Observation observation;
  std::vector<std::vector<Wait>> waits;  ///< by step
  int certain = 0;  ///< steps; what comes after these is one outcome of several

  /// Whether nothing is left to chance.
  bool only_outcome() const { return certain == static_cast<int>(observation.steps.size()); }
};

/// On a device of which these SMs take no blocks. Throws Error where the device's facts do not
/// suffice for the hypothesis.
Placements placements(const Device& device, const Hypothesis& hypothesis, const Probe& probe,
                      const std::vector<int>& reserved_sms = {});

}  // namespace cuvier
