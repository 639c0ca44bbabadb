#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Whether a group of SMs is chosen before an SM.
struct Hierarchy {
  enum Value : int { flat, tpc, gpc };
  static constexpr AxisValue values[] = {
      {"flat", "among all SMs at once"},
      {"tpc", "within a TPC that is chosen first"},
      {"gpc", "within a GPC that is chosen first", Needs::gpc_map},
  };
  static constexpr AxisInfo info{Part::choice, "hierarchy",
                                 "whether a group is chosen before an SM",
                                 "the SM of a block is chosen", values};
};

}  // namespace cuvier
