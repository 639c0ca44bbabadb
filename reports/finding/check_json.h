#pragma once

#include <nlohmann/json_fwd.hpp>

#include "solver/finding/finding.h"

namespace cuvier {

/// `cuvier check --json`: a model, and beside it every fact that a single hypothesis gets
/// wrong: `mismatches`, each with recording, where, step (absent for a configuration),
/// kernel, seen and predicted.
nlohmann::ordered_json check_json(const Finding& finding);

}  // namespace cuvier
