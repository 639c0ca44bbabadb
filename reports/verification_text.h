#pragma once

#include <string>

#include "reports/verification.h"

namespace cuvier {

/// A verification for people: the verdict, who confirmed how much, the claims; then a line for
/// each thing that does not match and for each on which a solver gave up.
std::string verification_text(const Verification& verification);

/// "confirmed", "refuted" where something does not match, else "undecided".
std::string verification_status(const Verification& verification);

}  // namespace cuvier
