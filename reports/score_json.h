#pragma once

#include <nlohmann/json_fwd.hpp>

#include "uses/kit/score.h"

namespace cuvier {

/// The same for programs, every probe listed.
nlohmann::ordered_json score_json(const Score& score);

}  // namespace cuvier
