#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device_corrections.h"
#include "solver/cancellation/task.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// Corrections of one fact of the device under each of which the mechanism explains everything that
/// was observed; of each field the nearest to what is documented comes first. None where it does so
/// without. Throws Stopped.
std::vector<DeviceCorrection> corrections_that_explain(const Device& device,
                                                       const std::vector<Session>& sessions,
                                                       const Hypothesis& mechanism,
                                                       const Task& task);

}  // namespace cuvier
