#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/verification.h"

namespace cuvier {

/// `cuvier verify --json`: `status` (confirmed, refuted, undecided), the claims, each solver's
/// answer to each lemma, what became of the recordings, and the lines `faults` and `gave_up`.
nlohmann::ordered_json verification_json(const Verification& verification);

}  // namespace cuvier
