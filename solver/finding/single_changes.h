#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/fact.h"

namespace cuvier {

/// A mechanism with one axis changed, and which recordings say otherwise.
struct SingleChange {
  int axis = 0;
  int value = 0;
  std::vector<int> contradicted_by;  ///< indices into the recordings, ascending
};

/// All that the device permits, in the table's order. `doing` is told of each, by one thread at a
/// time, and may throw to end it.
std::vector<SingleChange> single_changes(const RecordingSet& set, const Hypothesis& mechanism,
                                         const std::function<void(const std::string&)>& doing);

}  // namespace cuvier
