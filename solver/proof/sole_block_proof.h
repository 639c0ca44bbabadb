#pragma once

#include "solver/proof/warps_proof.h"
#include "solver/smt/statement.h"

namespace cuvier {

// SMs that never hold two blocks: how they deal with a second one is seen by nobody.

/// What is to be shown for no block to fit beside another under a hypothesis by which each SM is
/// configured by itself (ConfigScope::sm).
Statement sole_block(const Device& device, const Hypothesis& h);

/// What is to be shown for idle SMs to answer alike under two such hypotheses, wherever their warp
/// pointers are. A channel may show more of warps than that.
Statement idle_warps_alike(const Device& device, const Hypothesis& a, const Hypothesis& b,
                           const Asked& asked);
Statement idle_shared_alike(const Device& device, const Hypothesis& a, const Hypothesis& b,
                            const Asked& asked);

}  // namespace cuvier
