#pragma once

#include "hypotheses/hypothesis.h"
#include "reports/document/page.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// How two hypotheses compare: the probe, both predictions side by side and where they part, and
/// how small it is if that was looked at; or how it is known that nothing can tell them apart.
Page comparison_page(const Comparison& comparison, const Device& device, const Hypothesis& a,
                     const Hypothesis& b, const std::optional<Section>& smallness = {});

/// The name of the kind, for programs: "alike" where it was not found out.
std::string result_of(const Comparison& comparison);

/// The same for programs: `result`, both mechanisms, and `probe`, `parting`, `observation_a`,
/// `observation_b`, or `proof`, or `reason`.
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Device& device,
                                       const Hypothesis& a, const Hypothesis& b);

/// For Map::recordings: the probe, with what A shows as seen, and what B shows instead of it.
nlohmann::ordered_json two_outcomes(const Distinction& distinction);

}  // namespace cuvier
