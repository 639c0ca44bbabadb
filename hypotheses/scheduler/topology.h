#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hypotheses/axes.h"
#include "hypotheses/scheduler/groups.h"

namespace cuvier {

/// The SMs, first to last, in a named tie-break order (not TieBreak::learned).
std::vector<int> named_order(const Device& device, TieBreak::Value tie_break);

/// What a formula may read of the names, a bit each: for that the device's facts suffice.
std::uint32_t given_names(const Device& device, const FormulaInfo& info);

/// Whether the device's facts suffice to predict what the value does.
bool predictable(const Device& device, int axis, int value);

/// Whether they do, and something could show it: it is among the hypotheses (AxisValue::needs).
bool available(const Device& device, int axis, int value);

/// Whether the device has what the axis is about: more than its first value is among the
/// hypotheses.
bool concerns(const Device& device, int axis);

/// For messages, behind "needs ": what that is, and that the device (so called) does not give it.
std::string not_given(Needs needs, const std::string& device);

}  // namespace cuvier
