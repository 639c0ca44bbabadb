#pragma once

#include "solver/minimise/smallest_distinction.h"

namespace cuvier {

/// compare(), then make_smaller() of what it found.
inline SmallestDistinction smallest_distinction(const Device& device, const Hypothesis& a,
                                                const Hypothesis& b,
                                                const ComparisonOptions& options,
                                                const Task& task) {
  SmallestDistinction result{compare(device, a, b, options, task), {}};
  if (auto& distinction = result.comparison.distinction) {
    result.least = make_smaller(*distinction, device, a, b, options.seed, task);
  }
  return result;
}

}  // namespace cuvier
