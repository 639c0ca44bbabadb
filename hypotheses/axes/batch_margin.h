#pragma once

#include "hypotheses/axes/dispatch_batch.h"

namespace cuvier {

/// How many blocks over two for each SM must be left for a pick to place two.
struct BatchMargin {
  enum Value : int {};
  static constexpr AxisValue values[] = {
      {"4", "pairs while more than 2 * SMs + 4 blocks are left"},
      {"0", "pairs while more than 2 * SMs blocks are left"},
      {"1", "pairs while more than 2 * SMs + 1 blocks are left"},
      {"2", "pairs while more than 2 * SMs + 2 blocks are left"},
      {"3", "pairs while more than 2 * SMs + 3 blocks are left"},
      {"5", "pairs while more than 2 * SMs + 5 blocks are left"},
      {"6", "pairs while more than 2 * SMs + 6 blocks are left"},
      {"7", "pairs while more than 2 * SMs + 7 blocks are left"},
      {"8", "pairs while more than 2 * SMs + 8 blocks are left"},
  };
  static constexpr AxisLiteral in_pairs[] = {{"dispatch_batch", one_of(DispatchBatch::pair)},
                                             DispatchBatch::one_or_two};
  static constexpr std::span<const AxisLiteral> matters[] = {in_pairs};
  static constexpr AxisTitle title{Part::batches, "batch_margin",
                                   "blocks that end the pairing early", "a kernel gives out"};

  static constexpr int largest = 8;

  /// The table begins with what recordings of real GPUs show.
  static constexpr int blocks(Value value) {
    const int index = static_cast<int>(value);
    return index == 0 ? 4 : index <= 4 ? index - 1 : index;
  }
};

}  // namespace cuvier
