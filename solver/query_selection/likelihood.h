#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/simulator.h"

namespace cuvier {

/// How likely the answer to a probe is to tell two hypotheses apart, of which at least one has
/// several outcomes of it: one of these may be an outcome of the other as well. Estimated by as
/// many outcomes of each as were drawn.
struct Likelihood {
  int drawn = 0;
  int excludes_b = 0;  ///< outcomes of A that are none of B
  int excludes_a = 0;  ///< outcomes of B that are none of A

  /// Orders likelihoods of as many draws: the likelier to tell, whichever is true, the more.
  std::pair<int, int> telling() const {
    return {std::min(excludes_a, excludes_b), excludes_a + excludes_b};
  }
};

/// A likelihood, and one outcome that tells.
struct Chance {
  Likelihood likelihood;
  Observation a;
  Observation b;  ///< where `a` was drawn, what comes nearest to it of B's; or the other way round
};

/// None where no outcome that was drawn tells. `channels`: what is seen beside the SM of each
/// block.
std::optional<Chance> chance_of(Simulator& a, Simulator& b, const Probe& probe,
                                const std::vector<std::string>& channels);

}  // namespace cuvier
