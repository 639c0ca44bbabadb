#pragma once

#include "hypotheses/axes/batch_size.h"

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
  // Places among the names.
  static constexpr int left = 0;
  static constexpr int margin = 3;
  static constexpr FormulaName names[] = {
      {.name = "left",
       .meaning = "blocks without a place, as batch_lag counts them",
       .least = 0,
       .most = kMostBlocks,
       .from = {"batch_lag"}},
      asked::blocks,
      nearby::sms,
      {.name = "margin",
       .meaning = "batch_margin",
       .least = 0,
       .most = 8,
       .from = {"batch_margin"}},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::condition,
                                       "whether a pick places two blocks, if two are left"};
  static constexpr AxisLiteral one_or_two{"batch_size", one_of(BatchSize::one_or_two), true};
  static constexpr AxisLiteral if_one_or_two[] = {one_or_two};
  static constexpr std::span<const AxisLiteral> matters[] = {if_one_or_two};
  static constexpr AxisInfo info{
      Part::batches, "dispatch_batch", "how many blocks a pick places", "", values,
      matters,       &formula};
};

}  // namespace cuvier
