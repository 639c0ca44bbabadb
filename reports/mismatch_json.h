#pragma once

#include <nlohmann/json_fwd.hpp>

#include "solver/finding.h"

namespace cuvier {

/// The fact that a hypothesis gets wrong: where, `seen` and `predicted`.
nlohmann::ordered_json mismatch_json(const Mismatch& mismatch);

}  // namespace cuvier
