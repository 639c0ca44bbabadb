#pragma once

#include <vector>

#include "solver/smt/statement.h"

namespace cuvier {

/// What is to be shown, beside warps_shrink and shared_shrinks, for a block to let no more blocks
/// of another kernel fit on an SM, one after another, than fitted before: of a cluster that shares
/// SMs.
std::vector<Statement> several_shrink(const Device& device, const Hypothesis& h);

}  // namespace cuvier
