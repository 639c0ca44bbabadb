#pragma once

#include <string>

#include "solver/audit/audit.h"

namespace cuvier {

/// What recordings say of each assumption of a model, for people, in short: a line for each
/// axis, and what its support rests on.
std::string audit_text(const Audit& audit);

/// How the audit ends, in a sentence.
std::string audit_verdict(const Audit& audit);

}  // namespace cuvier
