#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/proof/equivalence.h"
#include "solver/query_selection/candidates.h"

namespace cuvier {

/// A probe that a solver found, or for the last pair asked about why there is none.
struct SplitSynthesis {
  std::optional<Candidate> candidate;
  std::string reason;
  bool gave_up = false;  ///< on what `reason` names
};

/// Has a solver look for a probe that tells members of different classes apart, where `bring_along`
/// brings a fresh simulator: the representatives of a few pairs. `excluded` is not asked again.
SplitSynthesis synthesise_split(const Device& device, const Classes& classes,
                                const std::function<void(Simulator&)>& bring_along,
                                const std::vector<std::string>& channels,
                                const std::vector<Probe>& excluded, const Task& task);

}  // namespace cuvier
