#pragma once

#include <optional>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "solver/smt/statement.h"

namespace cuvier {

/// What is to be shown for each pick to take as many places under two hypotheses, whatever is left
/// of its kernel; none where they count what is left, or deal out blocks, in different ways.
std::optional<Statement> same_pick_sizes(const Device& device, const Hypothesis& a,
                                         const Hypothesis& b);

}  // namespace cuvier
