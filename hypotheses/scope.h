#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"

namespace cuvier {

/// By axis, the values that were thought of in the proofs of equivalence and the arguments of
/// minimality. A bit each. The first value is always in: it is what the scheduler does without
/// the axis.
const std::array<std::uint32_t, kAxes>& scope_of_claims();

/// By axis, the values that were thought of where an axis is said not to matter
/// (AxisInfo::matters_when), and where hypotheses differ only in what one SM does: those of
/// scope_of_claims() and more.
const std::array<std::uint32_t, kAxes>& scope_beside();

/// What of the hypothesis is not in such a scope, "AXIS=VALUE"; none if all is. Of one that is
/// outside, nothing is claimed.
std::optional<std::string> outside_of(const std::array<std::uint32_t, kAxes>& scope,
                                      const Hypothesis& hypothesis);

}  // namespace cuvier
