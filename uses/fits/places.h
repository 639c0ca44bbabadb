#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "uses/fits/others.h"

namespace cuvier {

/// Where what else is on a device may be, under a hypothesis.
struct Places {
  std::vector<Beside> some;
  bool all = false;  ///< there are no others
};

/// All, where they are few. Otherwise where the hypothesis puts the blocks that are resident, and
/// where most SMs, or fewest, have some: each SM so many, beginning with the first SM or the last.
/// None where there are more blocks than the device has slots.
Places places_of(const Others& others, const Device& device, const Hypothesis& hypothesis,
                 const std::vector<Kernel>& kernels);

}  // namespace cuvier
