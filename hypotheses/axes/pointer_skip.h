#pragma once

#include "hypotheses/axes/warp_placement.h"

namespace cuvier {

/// Where the warp pointer goes after a block was placed.
struct PointerSkip {
  enum Value { multiple_of_subpartitions, none, always, even, restart };
  static constexpr AxisValue values[] = {
      {"multiple_of_subpartitions", "one further if the block's warps are a multiple of 4"},
      {"none", "to the subpartition after the last warp"},
      {"always", "one further than that, always"},
      {"even", "one further if the block has an even number of warps"},
      {"restart", "back to subpartition 0"},
  };
  static constexpr AxisLiteral with_pointer[] = {
      {"warp_placement", one_of(WarpPlacement::strict_round_robin, WarpPlacement::skip_full)}};
  static constexpr std::span<const AxisLiteral> matters[] = {with_pointer};
  static constexpr AxisInfo info{Part::warps, "pointer_skip",
                                 "where the warp pointer goes after a block", values, matters};

  /// The pointer after a block of w warps, `next` being the subpartition after its last warp.
  template <class D>
  static typename D::Int advance(const D& d, const typename D::Int& next,
                                 const typename D::Int& w) {
    using Int = typename D::Int;
    return d.template choose<PointerSkip>([&](Value v) -> Int {
      switch (v) {
        case multiple_of_subpartitions:
          return (next + ite(w % kSubpartitions == 0, Int(1), Int(0))) % kSubpartitions;
        case none:
          return next % kSubpartitions;
        case always:
          return (next + 1) % kSubpartitions;
        case even:
          return (next + ite(w % 2 == 0, Int(1), Int(0))) % kSubpartitions;
        case restart:
          return Int(0);
      }
      return next;
    });
  }
};

}  // namespace cuvier
