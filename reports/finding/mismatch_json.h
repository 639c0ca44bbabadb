#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "solver/finding/finding.h"

namespace cuvier {

/// The fact that a hypothesis gets wrong: where, `seen` and `predicted`.
nlohmann::ordered_json mismatch_json(const Mismatch& mismatch);
nlohmann::ordered_json mismatches_json(const std::vector<Mismatch>& mismatches);

/// For maps of a recording: the step and kernel of each, and its SMs, or words where it is about
/// something else.
nlohmann::ordered_json wrong_placements_json(const std::vector<Mismatch>& wrong);

nlohmann::ordered_json pattern_json(const Pattern& pattern);

/// What comes nearest where nothing explains everything, and every fact that it gets wrong.
nlohmann::ordered_json near_miss_json(const NearMiss& nearest);

}  // namespace cuvier
