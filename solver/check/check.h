#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Why nothing follows from recordings where there are none.
inline constexpr const char* const nothing_recorded = "there are no recordings to explain";

/// Which of the assumed hypotheses explain the recordings (all of one device): `identified`
/// (one is left, or several that are proved within seconds to be one behaviour) or `ambiguous`
/// with the survivors, or `refuted` with a minimal clash of recordings. `progress` is called with
/// a line about what is being done; if it throws CutShort, the finding is what is known by then.
Finding check(const std::vector<RecordingSet>& sets, const Assumptions& assumptions,
              const std::function<void(const std::string&)>& progress);

/// Whether one hypothesis explains them, and which facts it gets wrong: `identified` or
/// `refuted`; `ambiguous` where there are none. If `progress` throws CutShort, what is known by
/// then.
Finding check(
    const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis,
    const std::function<void(const std::string&)>& progress = [](const std::string&) {});

}  // namespace cuvier
