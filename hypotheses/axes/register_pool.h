#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Whether the register file is divided among the subpartitions.
struct RegisterPool {
  enum Value : int { per_subpartition, per_sm };
  static constexpr AxisValue values[] = {
      {"per_subpartition", "each subpartition has a quarter of the registers"},
      {"per_sm", "the registers of an SM are one pool"},
  };
  static constexpr AxisTitle title{Part::warps, "register_pool",
                                   "how the register file is divided"};
};

}  // namespace cuvier
