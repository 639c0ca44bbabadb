#pragma once

#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/probe.h"
#include "solver/cancellation/task.h"

namespace cuvier {

/// What a search of the probes that launch one kernel and then release some of it came to.
struct OneRelease {
  std::optional<Probe> probe;  ///< that tells the hypotheses apart, of few blocks
  bool blocks = false;         ///< no such probe has fewer
  bool resources = false;  ///< nor, of simple demands (demand_classes.h), is smaller in the rest
  bool none = false;       ///< no probe of one kernel and so few blocks does, however it goes on
  std::string reason;      ///< what was searched
};

/// Searches them, of at most `most_blocks`, given that no single launch tells the two apart.
/// Throws Stopped where the task is to end.
OneRelease smallest_one_release(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                int most_blocks, const Task& task = {});

}  // namespace cuvier
