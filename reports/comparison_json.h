#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hypotheses/hypothesis.h"
#include "solver/choose/comparison.h"

namespace cuvier {

/// The name of the kind, for programs: "alike" where it was not found out.
std::string result_of(const Comparison& comparison);

/// How two hypotheses compare, for programs: `result`, both mechanisms, and `probe`,
/// `parting`, `observation_a`, `observation_b`, or `proof`, or `reason`.
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Device& device,
                                       const Hypothesis& a, const Hypothesis& b);

}  // namespace cuvier
