#pragma once

#include "hypotheses/axes/hierarchy.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which group of SMs gets the block, under a hierarchy.
struct GroupSelection {
  enum Value : int { most_room, round_robin, first_fit, smallest_first, fewest_warps };
  static constexpr AxisValue values[] = {
      {"most_room", "the group with the largest sum of room over its eligible SMs", "-room"},
      {"round_robin", "the first group with an eligible SM from the group cursor on"},
      {"first_fit", "the first group with an eligible SM", "0"},
      {"smallest_first", "the group with the fewest SMs", "sms"},
      {"fewest_warps", "the group with the fewest resident warps", "warps"},
  };
  static constexpr FormulaName names[] = {
      {"room", "further blocks of this kernel that its eligible SMs have room for", 0,
       kMostOfAGroup, lasting, said_by("room_warps", "shared_room")},
      {"eligible", "SMs of the group that are eligible", 1, kMostSms},
      {"warps", "resident on the group", 0, kMostOfAGroup},
      {"blocks", "resident on the group", 0, kMostOfAGroup},
      {"sms", "SMs of the group", 1, kMostSms},
      {"turn",
       "groups from the first behind the one that got the last block to this one, in "
       "the tie-break order; by their lowest SM where that is learned",
       0, kMostSms - 1, fleeting, said_by("cursor_reset")},
      {"least", "room of the SM of the group that has least; 0 where one is not eligible", 0,
       kMostOfAnSm, lasting, said_by("room_warps", "shared_room")},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::key,
                                       "of the groups with an eligible SM the one with the "
                                       "smallest gets the block; ties go to the first in the "
                                       "tie-break order"};
  static constexpr AxisLiteral grouped[] = {{"hierarchy", one_of(Hierarchy::tpc, Hierarchy::gpc)}};
  static constexpr std::span<const AxisLiteral> matters[] = {grouped};
  static constexpr AxisTitle title{Part::choice, "group_selection", "which group gets the block",
                                   "each block goes to"};
};

}  // namespace cuvier
