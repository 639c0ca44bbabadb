#pragma once

#include "probes/gpu/run_probe.h"

namespace cuvier::gpu {

/// How many different placements `runs` runs of one block per SM show. More than one on a
/// device that should be alone with us hints at other work, or at hidden state.
int distinct_placements(RunnerDevice& device, const Patience& patience, int runs);

}  // namespace cuvier::gpu
