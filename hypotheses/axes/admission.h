#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which SMs refuse a block although they have what it asks for. No rule of that kind was ever
/// seen, so the table names none; a formula can say one.
struct Admission {
  enum Value : int { any };
  static constexpr AxisValue values[] = {
      {.name = "any", .meaning = "any SM that has what it asks for", .formula = "0 == 0"},
  };
  static constexpr FormulaName names[] = {
      {"blocks", "resident on the SM", 0, kMostOfAnSm},
      {"warps", "resident on the SM", 0, kMostOfAnSm},
      asked::priority,
      asked::warps,
      asked::registers,
      asked::bytes,
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::condition,
      "whether the SM takes the block, if it has what it asks for"};
  static constexpr AxisInfo info{
      Part::admission, "admission", "which SMs refuse a block", "a block may go to", values, {},
      &formula};

  template <class C, class D>
  static typename D::Bool admits(const C& d, const typename D::Int& blocks,
                                 const typename D::Int& warps, const typename D::Int& priority,
                                 const Demand<D>& k) {
    using Bool = typename D::Bool;
    return d.template choose<Admission>([&](Value v) -> Bool {
      if (v == any) return Bool(true);
      return condition_by_formula<Admission, D>(
          v, {blocks, warps, priority, k.warps, k.registers, k.shared});
    });
  }
};

}  // namespace cuvier
