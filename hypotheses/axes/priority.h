#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/probe.h"

namespace cuvier {

/// Whether stream priorities order the queue.
struct Priority {
  enum Value : int { respected, ignored };
  static constexpr AxisValue values[] = {
      {"respected", "the queue is ordered by priority, then by joining", "priority"},
      {"ignored", "the queue is ordered by joining", "0"},
  };
  static constexpr FormulaName names[] = {
      asked::priority,
      asked::blocks,
      {"w", "warps of its block", 1, kMostOfAnSm},
      asked::registers,
      asked::bytes,
      {"placed", "its blocks that have a place", 0, kMostBlocks, fleeting},
      asked::joined,
      {"running", "its blocks that are resident", 0, kMostBlocks, fleeting},
      asked::local,
      {"waited", "launches and releases after the one by which it joined the queue", 0, kMostBlocks,
       fleeting},
      {"turn",
       "slots from the one behind that of the kernel that got the latest block to its "
       "own; a kernel that joins takes the lowest slot that is free until it has ended",
       0, kMostBlocks, fleeting},
      {"streak", "blocks that it got in a row, the device's latest among them; else 0", 0,
       kMostBlocks, fleeting},
      {"later", "1 where it joined behind the kernel that got the latest block, otherwise 0", 0, 1,
       fleeting},
      {"head",
       "1 where it came first in the order at the pick before, made or tried in vain; otherwise 0",
       0, 1, fleeting},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::order,
      "the queued kernel with the smallest is tried first; ties go by joining"};
  static constexpr AxisTitle title{Part::queue, "priority", "whether priorities order the queue"};

  /// A kernel in the queue.
  struct Queued {
    const Kernel& kernel;
    int placed = 0;   ///< blocks
    int joined = 0;   ///< before it: kernels
    int running = 0;  ///< blocks
    int waited = 0;   ///< actions
    int turn = 0;     ///< slots
    int streak = 0;   ///< blocks
    bool is_later = true;
    bool was_head = false;
  };
  /// Whether that kernel goes before the other, whichever joined the queue first.
  static bool goes_first(Value value, const Queued& queued, const Queued& other) {
    switch (value) {
      case respected:
        return queued.kernel.priority < other.kernel.priority;
      case ignored:
        return false;
    }
    const auto key = [&](const Queued& q) {
      const Kernel& k = q.kernel;
      return order_by_formula<Priority>(
          value, {k.priority, k.blocks, k.warps(), k.registers, k.shared, q.placed, q.joined,
                  q.running, k.local, q.waited, q.turn, q.streak, q.is_later, q.was_head});
    };
    return key(queued) < key(other);
  }
};

}  // namespace cuvier
