#pragma once

#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// HYPOTHESIS: a model file (*.json), a name that `cuvier axes` lists, or AXIS=VALUE,... over
/// Algorithm 1. Throws Error, also where the device's facts do not suffice for it.
Hypothesis read_hypothesis(const std::string& text, const Device& device);

/// What such an argument may be, for --help.
constexpr const char* const hypothesis_meaning =
    "a model file (*.json), a hypothesis that `cuvier axes` names, or\n"
    "AXIS=VALUE,... (the rest Algorithm 1's).";

}  // namespace cuvier
