#pragma once

#include "hypotheses/axes/pointer_skip.h"

namespace cuvier {

/// When the warp pointer returns to subpartition 0.
struct PointerReset {
  enum Value : int { sm_idle, device_idle, never };
  static constexpr AxisValue values[] = {
      {"sm_idle", "when its SM is idle"},
      {"device_idle", "when the device is idle"},
      {"never", "in no case: it survives from probe to probe within a session"},
  };
  static constexpr AxisLiteral moving[] = {
      {"warp_placement", one_of(WarpPlacement::strict_round_robin, WarpPlacement::skip_full)},
      {"pointer_skip", one_of(PointerSkip::multiple_of_subpartitions, PointerSkip::none,
                              PointerSkip::always, PointerSkip::even)}};
  static constexpr std::span<const AxisLiteral> matters[] = {moving};
  static constexpr AxisInfo info{Part::warps,
                                 "pointer_reset",
                                 "when the warp pointer returns to 0",
                                 "the warp pointer returns to 0",
                                 values,
                                 matters};
};

}  // namespace cuvier
