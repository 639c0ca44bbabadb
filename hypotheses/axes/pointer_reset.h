#pragma once

#include "hypotheses/axes/pointer_skip.h"

namespace cuvier {

/// When the warp pointer returns to subpartition 0.
struct PointerReset {
  enum Value : int { sm_idle, device_idle, never };
  static constexpr AxisValue values[] = {
      {"sm_idle", "when its SM is idle", "warps == 0"},
      {"device_idle", "when the device is idle", "idle == 1"},
      {"never", "in no case: it survives from probe to probe within a session", "0 == 1"},
  };
  static constexpr FormulaName names[] = {
      {"warps", "left on the SM", 0, kMostOfAnSm},
      {"idle", "1 where the device has no block any more, otherwise 0", 0, 1},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::condition,
      "whether the warp pointer returns to 0, asked of an SM once blocks have left it, all that "
      "leave together, and of all SMs once the device is idle"};
  static constexpr AxisLiteral moving[] = {
      {"warp_placement", one_of(WarpPlacement::strict_round_robin, WarpPlacement::skip_full)},
      {"pointer_skip", one_of(PointerSkip::multiple_of_subpartitions, PointerSkip::none,
                              PointerSkip::always, PointerSkip::even)}};
  static constexpr std::span<const AxisLiteral> matters[] = {moving};
  static constexpr AxisTitle title{Part::warps, "pointer_reset",
                                   "when the warp pointer returns to 0",
                                   "the warp pointer returns to 0"};

  /// When the pointer of an SM may return.
  enum class When { sm_idle, blocks_have_left, device_idle };
  /// Whether it does, with so many warps left on the SM.
  template <class D>
  static typename D::Bool returns(Value value, When when, const typename D::Int& warps) {
    switch (value) {
      case sm_idle:
        return when == When::sm_idle;
      case device_idle:
        return when == When::device_idle;
      case never:
        return false;
    }
    if (when == When::sm_idle) return false;  // blocks may still leave
    return condition_by_formula<PointerReset, D>(value, {warps, when == When::device_idle ? 1 : 0});
  }
  /// Whether it may survive from probe to probe.
  static constexpr bool may_survive(Value value) {
    return value != sm_idle && value != device_idle;
  }
};

}  // namespace cuvier
