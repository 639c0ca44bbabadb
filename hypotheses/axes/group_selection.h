#pragma once

#include "hypotheses/axes/hierarchy.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which group of SMs gets the block, under a hierarchy.
struct GroupSelection {
  enum Value : int { most_room, round_robin, first_fit, smallest_first, fewest_warps };
  static constexpr AxisValue values[] = {
      {.name = "most_room",
       .meaning = "the group with the largest sum of room over its eligible SMs",
       .formula = "-room"},
      {"round_robin", "the first group with an eligible SM from the group cursor on"},
      {.name = "first_fit", .meaning = "the first group with an eligible SM", .formula = "0"},
      {.name = "smallest_first", .meaning = "the group with the fewest SMs", .formula = "sms"},
      {.name = "fewest_warps",
       .meaning = "the group with the fewest resident warps",
       .formula = "warps"},
  };
  // Places among the names.
  static constexpr int room = 0;
  static constexpr int eligible = 1;
  static constexpr int turn = 5;
  static constexpr int least = 6;
  static constexpr FormulaName names[] = {
      {.name = "room",
       .meaning = "further blocks of this kernel that its eligible SMs have room for",
       .least = 0,
       .most = kMostOfAGroup,
       .from = {"room_warps", "shared_room"}},
      {"eligible", "SMs of the group that are eligible", 1, kMostSms},
      {"warps", "resident on the group", 0, kMostOfAGroup},
      {"blocks", "resident on the group", 0, kMostOfAGroup},
      {"sms", "SMs of the group", 1, kMostSms},
      {.name = "turn",
       .meaning = "groups from the first behind the one that got the last block to this one, in "
                  "the tie-break order; by their lowest SM where that is learned",
       .least = 0,
       .most = kMostSms - 1,
       .from = {"cursor_reset"},
       .is_fleeting = true},
      {.name = "least",
       .meaning = "room of the SM of the group that has least; 0 where one is not eligible",
       .least = 0,
       .most = kMostOfAnSm,
       .from = {"room_warps", "shared_room"}},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::key,
                                       "of the groups with an eligible SM the one with the "
                                       "smallest gets the block; ties go to the first in the "
                                       "tie-break order"};
  static constexpr AxisLiteral grouped[] = {{"hierarchy", one_of(Hierarchy::tpc, Hierarchy::gpc)}};
  static constexpr std::span<const AxisLiteral> matters[] = {grouped};
  static constexpr AxisInfo info{
      Part::choice, "group_selection", "which group gets the block", "each block goes to", values,
      matters,      &formula};
};

}  // namespace cuvier
