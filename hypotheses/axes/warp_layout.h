#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/scheduler/address_space.h"

namespace cuvier {

/// Whether a block's warps must stand in a row of warp slots, and where rows begin. Accel-Sim's do
/// (`w`); of GPUs no such rule was ever seen, so the table names none.
struct WarpLayout {
  enum Value : int { scattered };
  static constexpr AxisValue values[] = {
      {"scattered", "any free warp slots will do", "0"},
  };
  static constexpr FormulaName names[] = {asked::warps, asked::registers, asked::bytes};
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "the row of a block's warps begins at a multiple of so many warp slots of the SM, the first "
      "that is free; 0: any free warp slots will do",
      0, kMostOfAnSm};
  static constexpr AxisTitle title{Part::warps, "warp_layout",
                                   "whether a block's warps stand in a row of warp slots",
                                   "for a block's warps,"};

  /// Where the row of such a block begins, among the SM's slots of which `rows` are taken; `slots`
  /// where none is free, -1 where it needs none.
  template <class C, class D>
  static typename D::Int row(const C& d, const Demand<D>& k, const AddressSpace<D>& rows,
                             int slots) {
    using Int = typename D::Int;
    return d.template choose<WarpLayout>([&](Value v) -> Int {
      if (v == scattered) return -1;
      const Int step = number_by_formula<WarpLayout, D>(v, {k.warps, k.registers, k.shared});
      return ite(step > Int(0), rows.first_multiple(0, slots, k.warps, max(step, Int(1))), Int(-1));
    });
  }
};

}  // namespace cuvier
