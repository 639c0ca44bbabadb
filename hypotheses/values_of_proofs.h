#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"

namespace cuvier {

/// By axis, the values that were thought of in the proofs of equivalence, and where an axis is said
/// not to matter (AxisInfo::matters_when). A bit each. The first value is always in: it is what the
/// scheduler does without the axis.
const std::array<std::uint32_t, kAxes>& values_of_proofs();

/// What of the hypothesis is not in there, "AXIS=VALUE"; none if all is. Of one that is outside,
/// nothing is claimed.
std::optional<std::string> outside_of_claims(const Hypothesis& hypothesis);

}  // namespace cuvier
