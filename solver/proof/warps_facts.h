#pragma once

#include <string>
#include <vector>

#include "solver/smt/statement.h"

namespace cuvier {

// What is to be shown of the warps and registers of one SM under one hypothesis.

using Quarters = PerSubpartition<Terms>;

/// Of which nothing is known.
Quarters unknown_quarters(const std::string& name);

/// That no subpartition has less than the next one.
TermBool falls(const Quarters& x);

/// Values that the warp pointer may have when a block comes: 1, only 0, where it never leaves
/// subpartition 0.
int pointers_of(const Hypothesis& h);

/// For a block to leave no fewer registers of its SM held.
Statement registers_grow(const Device& device, const Hypothesis& h);

/// For a block to let no other kernel fit on its SM that did not before.
Statement warps_shrink(const Device& device, const Hypothesis& h);

/// For what is held to fall from each subpartition to the next, always, as long as the pointer is
/// at subpartition 0 whenever a block comes: what each block holds does.
std::vector<Statement> stays_falling(const Device& device, const Hypothesis& h);

}  // namespace cuvier
