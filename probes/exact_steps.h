#pragma once

#include "probes/observation.h"

namespace cuvier {

/// How many steps of a run went as they did whatever the order in which the blocks of a release
/// leave: those before the first release of several blocks at once while others wait. Real
/// hardware frees blocks one by one, and each may let another one in (scheduler.md section 7).
int exact_steps(const Observation& run, const Probe& probe);

}  // namespace cuvier
