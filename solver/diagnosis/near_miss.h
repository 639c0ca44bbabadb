#pragma once

#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Where the search for what comes nearest begins: what explains as many recordings (all of one
/// device) as can be had by taking one after the other, and the simplest hypothesis.
std::vector<Hypothesis> near_miss_starts(const std::vector<RecordingSet>& sets,
                                         const Assumptions& assumptions, const Task& task);

/// The assumed hypothesis found to get the fewest recordings wrong that none explains together; of
/// equals, the one that goes wrong latest in them, then the one most like Algorithm 1. No proof
/// that none is better: the search changes one or two axes of these at a time.
NearMiss near_miss(const std::vector<RecordingSet>& sets, const Assumptions& assumptions,
                   const std::vector<Hypothesis>& starts, const Task& task);
inline NearMiss near_miss(const std::vector<RecordingSet>& sets, const Assumptions& assumptions,
                          const Task& task) {
  return near_miss(sets, assumptions, near_miss_starts(sets, assumptions, task), task);
}

/// What that hypothesis gets wrong of them.
NearMiss miss_of(const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis);

/// Of a refuted space this comes nearest. If it gets nothing wrong, cuvier contradicts itself:
/// what constraints refute, prediction does not. Nothing is decided then.
void tell_nearest(Finding& refuted, NearMiss nearest);

}  // namespace cuvier
