#pragma once

#include "probes/observation.h"

namespace cuvier {

/// How many steps of a run went as they did whatever the order in which the blocks of a release
/// leave: those before the first release of several blocks at once while others wait. Real
/// hardware frees blocks one by one, and each may let another one in (scheduler.md section 7).
int exact_steps(const Observation& run, const Probe& probe);

/// Whether nobody can say what hidden state the run left in a device: not all its steps are exact,
/// or blocks still waited at its end, which ran when everything was released.
bool leaves_unknown(const Observation& run, const Probe& probe);

}  // namespace cuvier
