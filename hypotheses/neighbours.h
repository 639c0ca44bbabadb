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

/// What is no hypothesis, and differs from `base` in that one such axis orders the other way round
/// than some value does.
std::vector<Hypothesis> reversed_axes(const Device& device, const Hypothesis& base);

}  // namespace cuvier
