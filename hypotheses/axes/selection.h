#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/axes/mark.h"
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
      {"most_room", "the SM with room for the most further blocks of this kernel", "-room"},
      {"round_robin", "the first eligible SM from the cursor on, which moves past it"},
      {"sticky_round_robin", "the SM at the cursor, the only one that is tried (simtbs)"},
      {"next_fit", "the first eligible SM from the cursor on, on which it stays"},
      {"first_fit", "the first eligible SM in the tie-break order", "0"},
      {"fewest_warps", "the SM with the fewest resident warps (breadth first, BFA)", "warps"},
      {"most_warps", "the SM with the most resident warps (depth first, DFA)", "-warps"},
      {"least_used", "the SM whose scarcest resource would be used least"},
      {"most_used", "the SM whose scarcest resource would be used most"},
      {"fewest_blocks", "the SM with the fewest resident blocks", "blocks"},
      {"paired",
       "its predecessor's SM if it is odd and fits there; else the one with most room (BCS)"},
  };
  // More than any GPU has, and so few that a tuple of one of them and a count can be compared.
  static constexpr int kMostHeldRegisters = 1 << 17;
  static constexpr int kMostHeldBytes = 255 * 1024;
  static constexpr int kMostReceived = 1 << 17;
  static constexpr FormulaName names[] = {
      {"room", "further blocks of this kernel that the SM has room for", 0, kMostOfAnSm, lasting,
       said_by("room_warps", "shared_room")},
      {"warps", "resident on the SM", 0, kMostOfAnSm},
      {"blocks", "resident on the SM", 0, kMostOfAnSm},
      {"sm", "the SM's index", 0, kMostSms - 1},
      asked::warps,
      asked::registers,
      asked::bytes,
      {"turn",
       "SMs from the first behind the one that got the last block to this one, in the "
       "tie-break order; by index where that is learned",
       0, kMostSms - 1, fleeting, said_by("cursor_reset")},
      {"own", "blocks of this kernel resident on the SM", 0, kMostOfAnSm, fleeting},
      nearby::tpc_blocks,
      {"placed", "blocks of the kernel that have a place", 0, kMostBlocks, fleeting},
      {"left", "blocks of the kernel without a place, this one among them", 1, kMostBlocks,
       fleeting},
      nearby::sms,
      {"joined", asked::joined.meaning, asked::joined.least, asked::joined.most, fleeting},
      {"since",
       "SMs that were chosen since this one was; all SMs where it was not since the cursors "
       "returned to the start",
       0, kMostSms, fleeting, said_by("cursor_reset")},
      {"held_registers", "registers that the SM's blocks hold", 0, kMostHeldRegisters, lasting,
       said_by("register_granularity")},
      {"held_bytes", "bytes of shared memory that the SM's blocks hold", 0, kMostHeldBytes, lasting,
       said_by("shared_granularity", "runtime_shared")},
      {"rank", "the SM's place in the tie-break order; its index where that is learned", 0,
       kMostSms - 1},
      {"priority", asked::priority.meaning, asked::priority.least, asked::priority.most, fleeting},
      {"freed",
       "releases since one by which a block left the SM; 4096 where there was none since the "
       "cursors returned to the start",
       0, kMostSms, fleeting, said_by("cursor_reset")},
      {"tpc_own", "blocks of this kernel resident on the SM's TPC", 0, kMostOfAGroup, fleeting},
      nearby::device_blocks,
      {"received",
       "warps of the blocks that came to the SM since the cursors returned to the start", 0,
       kMostReceived, fleeting, said_by("cursor_reset")},
      {"picks",
       "times that any SM was chosen, of all kernels, since the cursors returned to the start", 0,
       kMostBlocks, fleeting, said_by("cursor_reset")},
      {"previous", "the SM of the kernel's block before, by index; this one for its first", 0,
       kMostSms - 1, fleeting},
      nearby::mark,
      {"home", "the SM of the kernel's first block, by index; this one for that block itself", 0,
       kMostSms - 1, fleeting},
      nearby::gpc_blocks,
      nearby::gpc,
      {"home_gpc", "the GPC of the SM `home`", 0, kMostSms - 1, fleeting, {}, Needs::gpc_map},
      nearby::sms_of_gpc,
      {"kernels", "other kernels with blocks resident on the SM", 0, kMostOfAnSm, fleeting},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::key,
                                       "the eligible SM with the smallest gets the block; ties go "
                                       "to the first in the tie-break order"};
  static constexpr AxisTitle title{Part::choice, "selection", "which eligible SM gets the block",
                                   "each block goes to"};

  /// Whether the value walks the SMs with a cursor.
  static constexpr bool walks(Value v) {
    return v == round_robin || v == sticky_round_robin || v == next_fit;
  }
};

}  // namespace cuvier
