#pragma once

#include "solver/cancellation/task.h"
#include "solver/choose/comparison.h"
#include "solver/minimise/minimise.h"

namespace cuvier {

/// How two hypotheses compare, shown by a probe as small as could be found.
struct SmallestDistinction {
  Comparison comparison;
  Minimality least;  ///< of its probe, if there is one
};

/// Puts the smallest probe found that tells them apart in the place of the distinction's, unless
/// that tells by chance. Where the task is to end, throws Stopped once the smallest by then is
/// there.
Minimality make_smaller(Distinction& distinction, const Device& device, const Hypothesis& a,
                        const Hypothesis& b, std::uint64_t seed, const Task& task);

}  // namespace cuvier
