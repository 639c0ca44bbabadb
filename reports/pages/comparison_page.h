#pragma once

#include "hypotheses/hypothesis.h"
#include "reports/pages/page.h"
#include "solver/choose/comparison.h"
#include "solver/minimise/minimise.h"

namespace cuvier {

/// How two hypotheses compare: the probe and what it shows under each, and how small it is if that
/// was looked at; or the proof.
Page comparison_page(const Comparison& comparison, const Device& device, const Hypothesis& a,
                     const Hypothesis& b, const std::optional<Minimality>& least);

/// For Map::recordings: the probe, with what A shows as seen, and what B shows instead of it.
nlohmann::ordered_json two_outcomes(const Distinction& distinction);

}  // namespace cuvier
