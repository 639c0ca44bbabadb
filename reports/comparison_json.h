#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hypotheses/hypothesis.h"
#include "solver/choose/comparison.h"

namespace cuvier {

/// How two hypotheses compare, for programs: `result`, both mechanisms, and `probe`,
/// `parting`, `observation_a`, `observation_b`, or `proof`, or `reason`.
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Device& device,
                                       const Hypothesis& a, const Hypothesis& b);

}  // namespace cuvier
