#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/fact.h"
#include "solver/cancellation/task.h"

namespace cuvier {

/// A mechanism with one axis changed, and which recordings say otherwise.
struct SingleChange {
  struct Contradiction {
    int recording = 0;  ///< its index
    int step = 0;       ///< the first that goes wrong
  };
  int axis = 0;
  int value = 0;
  std::vector<Contradiction> contradicted_by;  ///< in the order of the recordings
};

/// All that the device permits, in the table's order. Throws Stopped where the task
/// is to end.
std::vector<SingleChange> single_changes(const RecordingSet& set, const Hypothesis& mechanism,
                                         const Task& task);

}  // namespace cuvier
