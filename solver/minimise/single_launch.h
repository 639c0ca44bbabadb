#pragma once

#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/probe.h"
#include "solver/cancellation/task.h"

namespace cuvier {

/// What an exhaustive search of the probes that launch one kernel, and no more, came to.
struct SingleLaunch {
  std::optional<Kernel> kernel;  ///< of fewest blocks, if one tells the hypotheses apart
  bool complete = false;         ///< no other does with fewer blocks; without it: none does
  std::string reason;            ///< what was searched
};

/// Searches every demand that the device permits, and every grid. Throws Stopped where
/// the task is to end.
SingleLaunch smallest_single_launch(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                    const Task& task = {});

}  // namespace cuvier
