#pragma once

#include <vector>

#include "solver/space/explanations.h"

namespace cuvier {

/// Where nothing of a set explains all sessions: what explains the most of them.
struct NearestMiss {
  Hypothesis hypothesis;      ///< of those that explain most, the one most like the model
  std::vector<int> left_out;  ///< sessions that it does not explain
  double equals = 0;          ///< hypotheses that explain as many
};

/// The most sessions that can be explained together, each counting once (MaxSAT, exact), and
/// by what; `model` says which of these to prefer.
NearestMiss nearest_miss(Explanations& explanations, Ref set, const Hypothesis& model);

}  // namespace cuvier
