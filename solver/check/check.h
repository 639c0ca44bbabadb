#pragma once

#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Why nothing follows from recordings where there are none.
inline constexpr const char* const nothing_recorded = "there are no recordings to explain";

/// Which of the assumed hypotheses explain the recordings (all of one device): `identified`
/// (one is left, or several that are proved within seconds to be one behaviour) or `ambiguous`
/// with the survivors, or `refuted` with a minimal clash of recordings. If the task is
/// to end, the finding is what is known by then.
Finding check(const std::vector<RecordingSet>& sets, const Assumptions& assumptions,
              const Task& task);

/// Whether one hypothesis explains them, and which facts it gets wrong: `identified` or
/// `refuted`; `ambiguous` where there are none. If the task is to end, what is known by
/// then.
Finding check(const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis,
              const Task& task = {});

}  // namespace cuvier
