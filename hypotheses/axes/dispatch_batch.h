#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Whether a pick places two consecutive blocks while many are left.
struct DispatchBatch {
  enum Value { single, pair };
  static constexpr AxisValue values[] = {
      {"single", "a pick places one block"},
      {"pair", "a pick places two while more than 2 * SMs + margin blocks are left"},
  };
  static constexpr AxisInfo info{Part::batches, "dispatch_batch", "how many blocks a pick places",
                                 values};
};

}  // namespace cuvier
