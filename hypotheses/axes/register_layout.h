#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Whether a warp's registers must lie side by side.
struct RegisterLayout {
  enum Value : int { renamed, contiguous };
  static constexpr AxisValue values[] = {
      {"renamed", "any free registers will do"},
      {"contiguous", "a warp needs one free interval; lowest address first"},
  };
  static constexpr AxisTitle title{Part::warps, "register_layout",
                                   "whether registers must be contiguous"};
};

}  // namespace cuvier
