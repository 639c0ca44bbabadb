#pragma once

#include <vector>

#include "probes/device_corrections.h"
#include "solver/cancellation/task.h"
#include "solver/check/device_claims.h"

namespace cuvier {

/// What was measured of a device.
struct Measured {
  std::vector<GranularityCheck> granularities;
  std::vector<LimitCheck> limits;
};

/// Whether a device with these facts would show all that was measured, with some of the candidates
/// of each granularity, and all else as the hypothesis has it.
bool explains(const Device& device, const Hypothesis& hypothesis, const Measured& measured);

/// The fewest facts to be corrected, two at most, for Algorithm 1 to show all that was measured;
/// none where there are no such. Each has to make something right that is wrong without it. Of
/// several values that do, the nearest to what is documented. Throws Stopped where the
/// task is to end.
std::vector<DeviceCorrection> smallest_corrections(const Device& device, const Measured& measured,
                                                   const Task& task);

}  // namespace cuvier
