#pragma once

#include <vector>

#include "hypotheses/formulas/formula.h"
#include "solver/invention/placements.h"

namespace cuvier {

/// Formulas of `mark` that may be what chooses among SMs goes by, the smallest first: what a block
/// that comes writes, what others' marks become then, and what blocks that leave write; and marks
/// that an SM gets above so many warps or blocks and has until it holds no more than so many.
std::vector<Formula> rules_of_marks(const std::vector<Placement>& placements);

/// Has each eligible SM the mark that this formula says.
void mark(std::vector<Placement>& placements, const Formula& rule, int sms);

}  // namespace cuvier
