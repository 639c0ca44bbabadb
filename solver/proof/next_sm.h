#pragma once

#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// One pick of a model on a device, as SMT-LIB 2 without (check-sat), for others to query: which SM
/// gets the next block, whatever the SMs are like (docs/howto/export.md says which constants there
/// are). Throws Error where the device's facts do not suffice for the hypothesis, and where a
/// choice depends on more than one cursor or on a group's turn: that is not stated yet.
std::string next_sm_smt2(const Device& device, const Hypothesis& hypothesis);

}  // namespace cuvier
