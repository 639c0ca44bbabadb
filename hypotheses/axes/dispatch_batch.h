#pragma once

#include "hypotheses/axes/batch_size.h"

namespace cuvier {

/// Whether a pick places two consecutive blocks while many are left.
struct DispatchBatch {
  enum Value : int { single, pair };
  static constexpr AxisValue values[] = {
      {"single", "a pick places one block", "left < 0"},
      {"pair", "a pick places two while more than 2 * SMs + margin blocks are left",
       "left > 2 * sms + margin"},
  };
  static constexpr FormulaName names[] = {
      {"left", "blocks without a place, as batch_lag counts them", 0, kMostBlocks, lasting,
       said_by("batch_lag")},
      asked::blocks,
      nearby::sms,
      {"margin", "batch_margin", 0, 8, lasting, said_by("batch_margin")},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::condition,
                                       "whether a pick places two blocks, if two are left"};
  static constexpr AxisLiteral one_or_two{"batch_size", one_of(BatchSize::one_or_two), true};
  static constexpr AxisLiteral if_one_or_two[] = {one_or_two};
  static constexpr std::span<const AxisLiteral> matters[] = {if_one_or_two};
  static constexpr AxisTitle title{Part::batches, "dispatch_batch",
                                   "how many blocks a pick places"};
};

}  // namespace cuvier
