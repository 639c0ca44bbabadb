#pragma once

#include <optional>
#include <string>

#include "solver/choose/split_synthesis.h"
#include "solver/proof/equivalence.h"

namespace cuvier {

/// Hypotheses among which equivalence is proved.
constexpr int kMostCompared = 1'000'000;

/// Why several hypotheses, `left` of them, are left though nothing splits them: what was tried, and
/// what of it did not prove them alike. `classes`: into which they were sorted, if they were.
std::string why_unsplit(bool could_be_asked, double left, const std::optional<Classes>& classes,
                        const SplitSynthesis& synthesis);

}  // namespace cuvier
