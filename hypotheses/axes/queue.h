#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which of the queued kernels may place its next block.
struct Queue {
  enum Value : int { fifo, skip_ahead };
  static constexpr AxisValue values[] = {
      {.name = "fifo",
       .meaning = "only the head is tried; when its next block cannot be placed, nothing is",
       .formula = "0 == 1"},
      {.name = "skip_ahead",
       .meaning = "each is tried in order; the first that fits gets its block",
       .formula = "0 == 0"},
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
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::condition,
      "whether a kernel behind the head is tried, in its turn, while the head waits"};
  static constexpr AxisInfo info{Part::queue,
                                 "queue",
                                 "which of the queued kernels is tried",
                                 "of the queued kernels,",
                                 values,
                                 {},
                                 &formula};
};

}  // namespace cuvier
