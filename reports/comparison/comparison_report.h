#pragma once

#include <string>

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

/// Where they part, in a sentence: "step 1, block 3 of k2: SM 6 under A, SM 3 under B".
std::string parting_words(const Distinction& distinction);

/// How often it tells them apart, for one that tells by chance.
std::string likelihood_words(const Likelihood& likelihood);

/// How it is known where it needs no proof; empty otherwise.
std::string plain_reason(const Hypothesis& a, const Hypothesis& b);

/// "different", "equivalent", "not distinguished" or "undecided".
std::string_view name_of(Comparison::Kind kind);

}  // namespace cuvier
