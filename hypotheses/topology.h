#pragma once

#include <string>
#include <vector>

#include "hypotheses/axes.h"
#include "probes/device.h"

namespace cuvier {

/// The SMs of each TPC or GPC, the groups by their lowest SM; one group of all for Hierarchy::flat.
std::vector<std::vector<int>> groups_of(const Device& device, Hierarchy::Value hierarchy);

/// The SMs, first to last, in a named tie-break order (not TieBreak::learned).
std::vector<int> named_order(const Device& device, TieBreak::Value tie_break);

/// The position of each SM in an order: the inverse permutation.
std::vector<int> ranks_of(const std::vector<int>& order);

/// The position of each group when groups are ordered by their first SM.
std::vector<int> group_ranks_of(const std::vector<std::vector<int>>& groups,
                                const std::vector<int>& sm_ranks);

/// Whether the device's facts suffice for the value (AxisValue::needs).
bool available(const Device& device, int axis, int value);

/// Whether the device has what the axis is about: more than its first value is among the
/// hypotheses.
bool concerns(const Device& device, int axis);

/// For messages, behind "needs ": what that is, and that the device (so called) does not give it.
std::string not_given(Needs needs, const std::string& device);

}  // namespace cuvier
