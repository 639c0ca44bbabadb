#pragma once

#include <string>
#include <string_view>

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

}  // namespace cuvier
