#pragma once

#include <array>
#include <vector>

#include "hypotheses/axes.h"

namespace cuvier {

/// Numbers of distinct hypotheses: those that differ only in an axis that does not matter
/// under their other values (AxisInfo::matters_when) count once.
struct HypothesisCount {
  double combinations = 0;  ///< of the axes' values, before that
  double initial = 0;       ///< last resorts are in it once nothing else is left
  double remaining = 0;
  bool exact = true;
};

/// The surviving values of each axis, ascending. An axis that matters under no survivor
/// keeps all of its values.
using SurvivingValues = std::array<std::vector<int>, kAxes>;

}  // namespace cuvier
