#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/family.h"

namespace cuvier {

/// Gives a hypothesis whose order is learned one of its own: any.
void learn_any_order(const Device& device, Hypothesis& hypothesis, Rng& rng);

/// The first axis in which they differ.
int changed_axis(const Hypothesis& base, const Hypothesis& changed);

/// Every hypothesis that differs from `base` in one axis that matters, as the device permits.
std::vector<Hypothesis> single_axis_changes(const Device& device, const Hypothesis& base, Rng& rng);

}  // namespace cuvier
