#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// How many consecutive blocks a pick places. No GPU was seen to place more than two, so the table
/// leaves it to dispatch_batch; a formula can say any number.
struct BatchSize {
  enum Value : int { one_or_two };
  static constexpr AxisValue values[] = {
      {"one_or_two", "a pick places one block, or two where dispatch_batch has pairs"},
  };
  static constexpr FormulaName names[] = {
      {"left", "blocks without a place before the pick", 1, kMostBlocks},
      asked::blocks,
      asked::warps,
      nearby::sms,
      asked::registers,
      asked::bytes,
      {"resident", "blocks on the SM that it goes to", 0, kMostOfAnSm},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "blocks that a pick places, as far as they fit; dispatch_batch says nothing then", 1, 64};
  static constexpr AxisTitle title{Part::batches, "batch_size",
                                   "how many blocks a pick places beyond pairs"};
};

}  // namespace cuvier
