#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Whether a pick places two consecutive blocks while many are left.
struct DispatchBatch {
  enum Value : int { single, pair };
  static constexpr AxisValue values[] = {
      {.name = "single", .meaning = "a pick places one block", .formula = "left < 0"},
      {.name = "pair",
       .meaning = "a pick places two while more than 2 * SMs + margin blocks are left",
       .formula = "left > 2 * sms + margin"},
  };
  static constexpr FormulaName names[] = {
      {"left", "blocks without a place, as batch_lag counts them", 0, kMostBlocks},
      {"blocks", "of the grid", 1, kMostBlocks},
      {"sms", "SMs of the device", 1, kMostSms},
      {"margin", "batch_margin", 0, 8},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::condition,
                                       "whether a pick places two blocks, if two are left"};
  static constexpr AxisInfo info{
      Part::batches, "dispatch_batch", "how many blocks a pick places", values, {}, &formula};
};

}  // namespace cuvier
