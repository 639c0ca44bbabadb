#pragma once

#include "hypotheses/axes/tie_break.h"

namespace cuvier {

/// Which of a kernel's blocks the SMs get that were chosen for it. It decides nothing of where the
/// picks go (hypotheses/scheduler/rounds.h). Under a learned order it is as_chosen: what was
/// learned are the numbers.
struct Numbering {
  enum Value : int { as_chosen, by_gpc };
  static constexpr AxisValue values[] = {
      {"as_chosen", "in the order in which they are chosen"},
      {.name = "by_gpc",
       .meaning = "GPC by GPC, all SMs that were chosen as equals",
       .needs = Needs::lone_tpcs,
       .last_resort = true},
  };
  static constexpr AxisLiteral named_order[] = {{"tie_break", TieBreak::named}};
  static constexpr std::span<const AxisLiteral> matters[] = {named_order};
  static constexpr AxisTitle title{Part::batches, "numbering",
                                   "in which order the chosen SMs get a kernel's blocks",
                                   "the SMs get the blocks of a kernel"};
};

}  // namespace cuvier
