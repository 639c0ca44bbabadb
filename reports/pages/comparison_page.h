#pragma once

#include "hypotheses/hypothesis.h"
#include "reports/pages/page.h"
#include "solver/choose/comparison.h"

namespace cuvier {

/// How two hypotheses compare: the probe and what it shows under each, or the proof.
/// `one_minimal`: the probe was made small.
Page comparison_page(const Comparison& comparison, const Device& device, const Hypothesis& a,
                     const Hypothesis& b, bool one_minimal);

/// For Map::recordings: the probe, with what A shows as seen, and what B shows instead of it.
nlohmann::ordered_json two_outcomes(const Distinction& distinction);

}  // namespace cuvier
