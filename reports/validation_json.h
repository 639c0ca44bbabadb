#pragma once

#include <nlohmann/json_fwd.hpp>

#include "solver/check/validation.h"

namespace cuvier {

/// All of it: the counts and their bound, every contradiction, the smallest one's probe.
nlohmann::ordered_json validation_json(const Validation& validation);

}  // namespace cuvier
