#pragma once

#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "solver/minimise/reductions.h"

namespace cuvier {

// Why smaller probes cannot tell two hypotheses apart, by the axes in which they differ. None
// where there is no such argument. Each is written out where it is made.

/// No probe of one kernel does, whatever it releases.
std::optional<std::string> why_one_kernel_shows_nothing(const Hypothesis& a, const Hypothesis& b);

/// No probe of two kernels does without a release.
std::optional<std::string> why_two_launches_show_nothing(const Hypothesis& a, const Hypothesis& b);

/// None of two kernels and as many actions does with fewer blocks.
std::optional<std::string> why_fewer_blocks_show_nothing(const Device& device, const Hypothesis& a,
                                                         const Hypothesis& b,
                                                         const ProbeSize& size);

}  // namespace cuvier
