#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which of the eligible SMs gets the block: the one with the least key; ties go
/// to the first in the tie-break order, or at the cursor where there is one.
struct Selection {
  enum Value : int {
    most_room,
    round_robin,
    sticky_round_robin,
    next_fit,
    first_fit,
    fewest_warps,
    most_warps,
    least_used,
    most_used,
    fewest_blocks,
    paired
  };
  static constexpr AxisValue values[] = {
      {.name = "most_room",
       .meaning = "the SM with room for the most further blocks of this kernel",
       .formula = "-room"},
      {"round_robin", "the first eligible SM from the cursor on, which moves past it"},
      {"sticky_round_robin", "the SM at the cursor, the only one that is tried (simtbs)"},
      {"next_fit", "the first eligible SM from the cursor on, on which it stays"},
      {.name = "first_fit",
       .meaning = "the first eligible SM in the tie-break order",
       .formula = "0"},
      {.name = "fewest_warps",
       .meaning = "the SM with the fewest resident warps (breadth first, BFA)",
       .formula = "warps"},
      {.name = "most_warps",
       .meaning = "the SM with the most resident warps (depth first, DFA)",
       .formula = "-warps"},
      {"least_used", "the SM whose scarcest resource would be used least"},
      {"most_used", "the SM whose scarcest resource would be used most"},
      {.name = "fewest_blocks",
       .meaning = "the SM with the fewest resident blocks",
       .formula = "blocks"},
      {"paired",
       "its predecessor's SM if it is odd and fits there; else the one with most room (BCS)"},
  };
  // Places among the names.
  static constexpr int room = 0;
  static constexpr int turn = 7;
  static constexpr FormulaName names[] = {
      {.name = "room",
       .meaning = "further blocks of this kernel that the SM has room for",
       .least = 0,
       .most = kMostOfAnSm,
       .from = {"room_warps", "shared_room"}},
      {"warps", "resident on the SM", 0, kMostOfAnSm},
      {"blocks", "resident on the SM", 0, kMostOfAnSm},
      {"sm", "the SM's index", 0, kMostSms - 1},
      asked::warps,
      asked::registers,
      asked::bytes,
      {.name = "turn",
       .meaning = "SMs from the first behind the one that got the last block to this one, in the "
                  "tie-break order; by index where that is learned",
       .least = 0,
       .most = kMostSms - 1,
       .from = {"cursor_reset"},
       .is_fleeting = true},
      {.name = "own",
       .meaning = "blocks of this kernel resident on the SM",
       .least = 0,
       .most = kMostOfAnSm,
       .is_fleeting = true},
      {.name = "tpc_blocks",
       .meaning = "resident on the SM's TPC",
       .least = 0,
       .most = kMostOfAGroup,
       .is_fleeting = true},
      {.name = "placed",
       .meaning = "blocks of the kernel that have a place",
       .least = 0,
       .most = kMostBlocks,
       .is_fleeting = true},
      {.name = "left",
       .meaning = "blocks of the kernel without a place, this one among them",
       .least = 1,
       .most = kMostBlocks,
       .is_fleeting = true},
      {"sms", "SMs of the device", 1, kMostSms},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::key,
                                       "the eligible SM with the smallest gets the block; ties go "
                                       "to the first in the tie-break order"};
  static constexpr AxisInfo info{
      Part::choice, "selection", "which eligible SM gets the block", "each block goes to", values,
      {},           &formula};

  /// Whether the value walks the SMs with a cursor.
  static constexpr bool walks(Value v) {
    return v == round_robin || v == sticky_round_robin || v == next_fit;
  }
};

}  // namespace cuvier
