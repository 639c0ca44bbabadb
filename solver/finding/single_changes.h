#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/fact.h"
#include "solver/cancellation/task.h"

namespace cuvier {

/// A mechanism with one axis changed, and which recordings say otherwise.
struct SingleChange {
  int axis = 0;
  int value = 0;
  std::vector<int> contradicted_by;  ///< indices into the recordings, ascending
};

/// All that the device permits, in the table's order. Throws Stopped where the task
/// is to end.
std::vector<SingleChange> single_changes(const RecordingSet& set, const Hypothesis& mechanism,
                                         const Task& task);

}  // namespace cuvier
