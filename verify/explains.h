#pragma once

#include <functional>
#include <vector>

#include "verify/journal.h"
#include "verify/mechanism.h"

namespace cuvier::verify {

/// Whether the hypothesis, run by itself, gets no more than so many of the recordings wrong (more
/// than none only where each is a session of its own). `order`: of tie_break=learned. `still` is
/// called often.
bool explains(const Device& device, const Mechanism& hypothesis, const std::vector<int>& order,
              const std::vector<const Recording*>& recordings, int most_wrong,
              const std::function<void()>& still);

}  // namespace cuvier::verify
