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
  static constexpr int sm = 3;
  static constexpr int turn = 7;
  static constexpr int since = 14;
  static constexpr int held_registers = 15;
  static constexpr int held_bytes = 16;
  static constexpr int rank = 17;
  static constexpr int freed = 19;
  static constexpr int tpc_own = 20;
  static constexpr int device_blocks = 21;
  static constexpr int received = 22;
  static constexpr int picks = 23;
  static constexpr int mark = 25;
  static constexpr int gpc_blocks = 27;
  // More than any GPU has, and so few that a tuple of one of them and a count can be compared.
  static constexpr int kMostHeldRegisters = 1 << 17;
  static constexpr int kMostHeldBytes = 255 * 1024;
  static constexpr int kMostReceived = 1 << 17;
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
      nearby::tpc_blocks,
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
      nearby::sms,
      {.name = "joined",
       .meaning = asked::joined.meaning,
       .least = asked::joined.least,
       .most = asked::joined.most,
       .is_fleeting = true},
      {.name = "since",
       .meaning = "SMs that were chosen since this one was; all SMs where it never was",
       .least = 0,
       .most = kMostSms,
       .from = {"cursor_reset"},
       .is_fleeting = true},
      {.name = "held_registers",
       .meaning = "registers that the SM's blocks hold",
       .least = 0,
       .most = kMostHeldRegisters,
       .from = {"register_granularity"}},
      {.name = "held_bytes",
       .meaning = "bytes of shared memory that the SM's blocks hold",
       .least = 0,
       .most = kMostHeldBytes,
       .from = {"shared_granularity", "runtime_shared"}},
      {"rank", "the SM's place in the tie-break order; its index where that is learned", 0,
       kMostSms - 1},
      {.name = "priority",
       .meaning = asked::priority.meaning,
       .least = asked::priority.least,
       .most = asked::priority.most,
       .is_fleeting = true},
      {.name = "freed",
       .meaning = "releases since one by which a block left the SM; 4096 where there was none",
       .least = 0,
       .most = kMostSms,
       .from = {"cursor_reset"},
       .is_fleeting = true},
      {.name = "tpc_own",
       .meaning = "blocks of this kernel resident on the SM's TPC",
       .least = 0,
       .most = kMostOfAGroup,
       .is_fleeting = true},
      nearby::device_blocks,
      {.name = "received",
       .meaning = "warps of the blocks that came to the SM",
       .least = 0,
       .most = kMostReceived,
       .from = {"cursor_reset"},
       .is_fleeting = true},
      {.name = "picks",
       .meaning = "times that an SM was chosen, of all kernels",
       .least = 0,
       .most = kMostBlocks,
       .from = {"cursor_reset"},
       .is_fleeting = true},
      {.name = "distance",
       .meaning =
           "SMs from this one to that of the kernel's latest block, by index; 0 for its first",
       .least = 0,
       .most = kMostSms - 1,
       .is_fleeting = true},
      nearby::mark,
      {.name = "home",
       .meaning = "the SM of the kernel's first block, by index; this one for that block itself",
       .least = 0,
       .most = kMostSms - 1,
       .is_fleeting = true},
      nearby::gpc_blocks,
      nearby::gpc,
      {.name = "home_gpc",
       .meaning = "the GPC of the SM `home`",
       .least = 0,
       .most = kMostSms - 1,
       .needs = Needs::gpc_map,
       .is_fleeting = true},
      nearby::sms_of_gpc,
  };
  /// What a formula reads of an SM, and of the block that is to be placed.
  template <class Int>
  struct Seen {
    Int room{}, warps{}, blocks{}, sm{}, w{}, registers{}, bytes{}, turn{}, own{}, tpc_blocks{};
    Int placed{}, left{}, sms{}, joined{}, since{}, held_registers{}, held_bytes{};
    Int rank{}, priority{}, freed{}, tpc_own{}, device_blocks{}, received{}, picks{}, distance{};
    Int mark{}, home{}, gpc_blocks{}, gpc{}, home_gpc{}, sms_of_gpc{};
    bool operator==(const Seen&) const = default;

    /// In the order of the names.
    std::array<Int, std::size(names)> in_order() const {
      return {room,           warps,         blocks,     sm,       w,
              registers,      bytes,         turn,       own,      tpc_blocks,
              placed,         left,          sms,        joined,   since,
              held_registers, held_bytes,    rank,       priority, freed,
              tpc_own,        device_blocks, received,   picks,    distance,
              mark,           home,          gpc_blocks, gpc,      home_gpc,
              sms_of_gpc};
    }
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
