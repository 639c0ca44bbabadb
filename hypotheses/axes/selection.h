#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Which of the eligible SMs gets the block: the one with the least key; ties go
/// to the first in the tie-break order, or at the cursor where there is one.
struct Selection {
  enum Value {
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
      {"most_room", "the SM with room for the most further blocks of this kernel"},
      {"round_robin", "the first eligible SM from the cursor on, which moves past it"},
      {"sticky_round_robin", "only the SM at the cursor is tried (simtbs)"},
      {"next_fit", "as round_robin, but the cursor stays on the chosen SM"},
      {"first_fit", "the first eligible SM in the tie-break order"},
      {"fewest_warps", "the SM with the fewest resident warps (breadth first, BFA)"},
      {"most_warps", "the SM with the most resident warps (depth first, DFA)"},
      {"least_used", "the SM whose scarcest resource would be used least"},
      {"most_used", "the SM whose scarcest resource would be used most"},
      {"fewest_blocks", "the SM with the fewest resident blocks"},
      {"paired", "an odd block follows its predecessor if it fits; otherwise most room (BCS)"},
  };
  static constexpr AxisInfo info{Part::choice, "selection", "which eligible SM gets the block",
                                 values};

  /// Whether the value walks the SMs with a cursor.
  static constexpr bool has_cursor(Value v) {
    return v == round_robin || v == sticky_round_robin || v == next_fit;
  }
};

}  // namespace cuvier
