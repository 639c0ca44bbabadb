#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "uses/simulate/workload.h"

namespace cuvier {

/// What a configuration file of simtbs (a published simulator of block schedulers) describes, as
/// far as it is modelled: its SMs with the one resource that its policies look at, which warp slots
/// stand for; what that adds to a block's time; and kernels, a tick being a millisecond.
struct SimtbsConfig {
  Device device;
  Workload workload;
};

/// Throws Error, which names the line, where it is none, is cut short, or has a kernel that arrives
/// before the start or asks for more than an SM has. Other resources of an SM, and memory, are left
/// aside.
SimtbsConfig read_simtbs(std::string_view text, const std::string& where);

/// A device of so many SMs with so many warp slots each, a multiple of four, in which nothing else
/// is ever short: what simtbs calls a resource of an SM.
Device plain_device(const std::string& name, int sms, int warps_per_sm);

/// The hypothesis of a scheduler that knows nothing but these slots, with the values of `text`
/// (hypothesis_from_text).
Hypothesis plain_hypothesis(const std::string& text);

}  // namespace cuvier
