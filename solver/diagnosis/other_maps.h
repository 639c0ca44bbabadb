#pragma once

#include <vector>

#include "probes/fact.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Maps under which a named order explains these recordings, all that the finding rests on, where
/// by the device's own an order has to be learned or nothing explains them; none for any other
/// finding. Each is one that the order suggests, or clusters do, under which what was assumed
/// explains every fact. If the task is to end, those
/// that were found by then.
std::vector<OtherMap> other_maps(const Finding& finding, const std::vector<RecordingSet>& sets,
                                 const Task& task);

}  // namespace cuvier
