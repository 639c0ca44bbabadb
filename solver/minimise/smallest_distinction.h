#pragma once

#include "solver/choose/comparison.h"
#include "solver/minimise/minimise.h"

namespace cuvier {

/// How two hypotheses compare, shown by a probe as small as could be found.
struct SmallestDistinction {
  Comparison comparison;
  Minimality least;  ///< of its probe, if there is one
};

/// Puts the smallest probe found that tells them apart in the place of the distinction's, unless
/// that tells by chance. A
/// CutShort that `doing` throws comes through once the smallest by then is there.
Minimality make_smaller(Distinction& distinction, const Device& device, const Hypothesis& a,
                        const Hypothesis& b, std::uint64_t seed,
                        const std::function<void(const std::string&)>& doing);

}  // namespace cuvier
