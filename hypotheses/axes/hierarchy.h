#pragma once

#include "hypotheses/axes/tie_break.h"

namespace cuvier {

/// Whether a group of SMs is chosen before an SM.
struct Hierarchy {
  enum Value : int { flat, tpc, gpc };
  static constexpr AxisValue values[] = {
      {"flat", "among all SMs at once"},
      // As formulas, `tpc` and `gpc` alone would be these names.
      {"tpc", "within a TPC that is chosen first", "-tpc", Needs::tpcs},
      {"gpc", "within a GPC that is chosen first", "-gpc", Needs::gpc_map},
  };
  static constexpr auto& names = TieBreak::names;
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::order,
                                       "SMs of which it is the same are a group, one of which is "
                                       "chosen first; groups count by their lowest SM"};
  static constexpr AxisTitle title{Part::choice, "hierarchy",
                                   "whether a group is chosen before an SM",
                                   "the SM of a block is chosen"};
};

}  // namespace cuvier
