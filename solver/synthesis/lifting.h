#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hypotheses/simulator.h"
#include "solver/synthesis/sm_script.h"

namespace cuvier {

/// Whether a probe tells two hypotheses apart, by prediction.
using TellsApart = std::function<bool(const Probe&)>;

/// Tries to make a probe for the whole device of what happens to one SM of it, or to two. A block
/// becomes a kernel with a block for one SM, a TPC, half of them, all, or more; a release lets go
/// all of its blocks, or those on some SMs. What tells the hypotheses apart is returned; `tried`
/// counts the probes.
std::optional<Probe> lift(const SmScript& script, const std::vector<Kernel>& kernels,
                          Simulator& simulator, const TellsApart& tells_apart, int& tried);

}  // namespace cuvier
