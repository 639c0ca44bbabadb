#pragma once

#include "hypotheses/axes/batch_margin.h"

namespace cuvier {

/// How many picks old the count of blocks left is when it decides on a pair.
struct BatchLag {
  enum Value : int {};
  static constexpr AxisValue values[] = {
      {"1", "the blocks left one pick earlier decide"},
      {"0", "the blocks left now decide"},
      {"2", "the blocks left two picks earlier decide"},
  };
  static constexpr AxisTitle title{Part::batches, "batch_lag",
                                   "how old the count that ends the pairing is",
                                   "on the end of the pairing,"};
  static constexpr auto& matters = BatchMargin::matters;

  static constexpr int longest = 2;
  static constexpr int picks(Value value) {
    const int index = static_cast<int>(value);
    return index == 0 ? 1 : index == 1 ? 0 : index;
  }
};

}  // namespace cuvier
