#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Whether a group of SMs is chosen before an SM.
struct Hierarchy {
  enum Value : int { flat, tpc, gpc };
  static constexpr AxisValue values[] = {
      {"flat", "one choice among all SMs"},
      {"tpc", "first a TPC, then one of its SMs"},
      {"gpc", "first a GPC, then one of its SMs", Needs::gpc_map},
  };
  static constexpr AxisInfo info{Part::choice, "hierarchy",
                                 "whether a group is chosen before an SM", values};
};

}  // namespace cuvier
