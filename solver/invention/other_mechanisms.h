#pragma once

#include <vector>

#include "hypotheses/assumptions.h"
#include "hypotheses/hypothesis.h"

namespace cuvier {

/// Those that differ from this mechanism in one axis that matters, as far as the assumptions allow;
/// none whose order is to be learned.
std::vector<Hypothesis> other_mechanisms(const Device& device, const Hypothesis& mechanism,
                                         const Assumptions& assumptions);

/// The same where another thing has the cursor return. Without a cursor that does not matter; a
/// rule may have one.
std::vector<Hypothesis> with_other_resets(const std::vector<Hypothesis>& mechanisms,
                                          const Assumptions& assumptions);

}  // namespace cuvier
