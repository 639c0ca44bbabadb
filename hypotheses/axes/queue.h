#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/probe.h"

namespace cuvier {

/// Which of the queued kernels may place its next block.
struct Queue {
  enum Value : int { fifo, skip_ahead };
  static constexpr AxisValue values[] = {
      {"fifo", "only the head is tried; when its next block cannot be placed, nothing is",
       "0 == 1"},
      {"skip_ahead", "each is tried in order; the first that fits gets its block", "0 == 0"},
  };
  static constexpr FormulaName names[] = {
      {"head_left", "blocks of the head without a place", 1, kMostBlocks},
      {"head_blocks", "of the head's grid", 1, kMostBlocks},
      {"head_warps", "of a block of the head", 1, kMostOfAnSm},
      {"head_priority", "of the head; the lower goes first", -kMostBlocks, kMostBlocks},
      {"left", "blocks of the kernel without a place", 1, kMostBlocks},
      asked::blocks,
      {"w", "warps of its block", 1, kMostOfAnSm},
      {"priority", "its priority", -kMostBlocks, kMostBlocks},
      {"registers", "of its thread", 0, kMostRegisters},
      {"bytes", "of shared memory that its block asks for", 0, kMostShared},
      {"head_registers", "of a thread of the head", 0, kMostRegisters},
      {"head_bytes", "of shared memory that a block of the head asks for", 0, kMostShared},
      {"behind", "places that it is behind the head in the order: 1 for the next", 1, kMostBlocks},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::condition,
      "whether a kernel behind the head is tried, in its turn, while the head waits"};
  static constexpr AxisTitle title{Part::queue, "queue", "which of the queued kernels is tried",
                                   "of the queued kernels,"};

  /// A kernel in the queue.
  struct Queued {
    const Kernel& kernel;
    int left;  ///< blocks without a place
  };
  /// Whether that kernel, behind so many, is tried while the head waits.
  static bool tries(Value value, const Queued& head, const Queued& queued, int behind) {
    const auto& [h, head_left] = head;
    const auto& [k, left] = queued;
    return condition_by_formula<Queue, PlainIntegers>(
        value, {head_left, h.blocks, h.warps(), h.priority, left, k.blocks, k.warps(), k.priority,
                k.registers, k.shared, h.registers, h.shared, behind});
  }
};

}  // namespace cuvier
