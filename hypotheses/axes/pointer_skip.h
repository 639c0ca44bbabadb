#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/axes/warp_placement.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Where the warp pointer goes after a block was placed.
struct PointerSkip {
  enum Value : int { multiple_of_subpartitions, none, always, even, restart };
  static constexpr AxisValue values[] = {
      {"multiple_of_subpartitions",
       "behind the last warp, and one further if the block's warps are a multiple of 4",
       "next + (w mod 4 == 0 ? 1 : 0)"},
      {"none", "to the subpartition behind the last warp", "next"},
      {"always", "one further than the subpartition behind the last warp", "next + 1"},
      {"even", "behind the last warp, and one further if the block has an even number of warps",
       "next + (w mod 2 == 0 ? 1 : 0)"},
      {"restart", "back to subpartition 0", "0"},
  };
  static constexpr FormulaName names[] = {
      {"next",
       "(p + w) mod 4; where warps pass full ones over, the subpartition behind the last warp's", 0,
       3},
      asked::warps,
      asked::registers,
      asked::bytes,
      {"p", "the pointer before the block", 0, 3},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number,
                                       "the subpartition, of which the rest by 4 counts", -1024,
                                       1024};
  static constexpr AxisLiteral with_pointer[] = {
      {"warp_placement", one_of(WarpPlacement::strict_round_robin, WarpPlacement::skip_full)}};
  static constexpr std::span<const AxisLiteral> matters[] = {with_pointer};
  static constexpr AxisTitle title{Part::warps, "pointer_skip",
                                   "where the warp pointer goes after a block",
                                   "after a block, the warp pointer goes"};

  /// The pointer after such a block, which was at `before`.
  template <class C, class D>
  static typename D::Int advance(const C& d, const typename D::Int& before,
                                 const typename D::Int& next, const Demand<D>& k) {
    using Int = typename D::Int;
    return d.template choose<PointerSkip>([&](Value v) -> Int {
      switch (v) {
        case multiple_of_subpartitions:
          return (next + ite(k.warps % kSubpartitions == 0, Int(1), Int(0))) % kSubpartitions;
        case none:
          return next % kSubpartitions;
        case always:
          return (next + 1) % kSubpartitions;
        case even:
          return (next + ite(k.warps % 2 == 0, Int(1), Int(0))) % kSubpartitions;
        case restart:
          return Int(0);
      }
      const Int to = number_by_formula<PointerSkip, D>(
          v, {next % kSubpartitions, k.warps, k.registers, k.shared, before});
      return (to + 1024) % kSubpartitions;
    });
  }
};

}  // namespace cuvier
