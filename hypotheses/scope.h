#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"

namespace cuvier {

/// By axis, the values that were thought of where something is claimed of hypotheses that are not
/// run: which axes matter (AxisInfo::matters_when), the proofs of equivalence, the arguments of
/// minimality. A bit each. The first value is always in: it is what the scheduler does without
/// the axis.
const std::array<std::uint32_t, kAxes>& scope_of_claims();

/// What of the hypothesis is not in scope_of_claims(), "AXIS=VALUE"; none if all is. Of one that is
/// outside, nothing is claimed.
std::optional<std::string> outside_of_claims(const Hypothesis& hypothesis);

}  // namespace cuvier
