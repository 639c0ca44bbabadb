#pragma once

#include <vector>

#include "solver/proof/warps_proof.h"
#include "solver/smt/statement.h"

namespace cuvier {

/// What is to be shown for the shared memory and carve-out of an SM to answer alike under two
/// hypotheses: from equal contents, and domains configured by the same kernels, both answer
/// alike and put a block at the same address. Releases do not depend on any axis.
std::vector<Statement> shared_induction(const Device& device, const Hypothesis& a,
                                        const Hypothesis& b, const Asked& asked);

/// What is to be shown for a block to change nothing of what other SMs answer about its kernel,
/// and to leave no less held on its own.
std::vector<Statement> shared_stays(const Device& device, const Hypothesis& h, const Asked& asked);

/// What is to be shown for a block to let no other kernel fit, on any SM, that did not before.
std::vector<Statement> shared_shrinks(const Device& device, const Hypothesis& h);

}  // namespace cuvier
