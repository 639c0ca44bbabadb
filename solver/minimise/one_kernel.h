#pragma once

#include <optional>

#include "solver/minimise/minimise.h"

namespace cuvier {

/// A probe of one kernel that the judge takes, of few blocks; none if none was found, or only such
/// of more blocks than `most_blocks`. Probes that launch it come first, then those that also
/// release some blocks: nothing else is as small. Kernels are looked for that fill SMs differently,
/// or so under one of the hypotheses, between which the judge is to tell.
std::optional<Probe> one_kernel(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                const Judge& judge, int most_blocks);

}  // namespace cuvier
