#pragma once

#include "reports/certificate/verification.h"
#include "reports/document/page.h"

namespace cuvier {

/// The verdict, who confirmed how much, the claims; then a line for each thing that does not match
/// and for each on which a solver gave up.
Page verification_page(const Verification& verification);

/// `cuvier verify --json`: `status` (confirmed, refuted, undecided), the claims, each solver's
/// answer to each lemma, what became of the recordings, and the lines `faults` and `gave_up`.
nlohmann::ordered_json verification_json(const Verification& verification);

}  // namespace cuvier
