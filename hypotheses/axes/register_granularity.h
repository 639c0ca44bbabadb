#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// The unit in which a warp's registers are allocated.
struct RegisterGranularity {
  enum Value : int { r256, r512, r1024 };
  static constexpr AxisValue values[] = {
      {"256", "256 registers per warp (8 per thread)", "(registers * 32 + 255) / 256 * 256"},
      {"512", "512 registers per warp (16 per thread)", "(registers * 32 + 511) / 512 * 512"},
      {"1024", "1024 registers per warp (32 per thread)", "(registers * 32 + 1023) / 1024 * 1024"},
  };
  static constexpr FormulaName names[] = {asked::registers, asked::warps, asked::bytes};
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number,
                                       "registers that a warp holds", 32, kMostFile};
  static constexpr AxisTitle title{Part::warps, "register_granularity",
                                   "the allocation unit of registers",
                                   "registers are allocated in units of"};

  /// Registers; 0 of a formula.
  static constexpr int unit(Value v) { return v <= r1024 ? 256 << v : 0; }
  static_assert(256 << r1024 == 1024);

  /// Registers that one warp of such a block holds.
  template <class C, class D>
  static typename D::Int per_warp(const C& d, const Demand<D>& k) {
    return d.template choose<RegisterGranularity>([&](Value v) -> typename D::Int {
      if (unit(v) == 0) {
        return number_by_formula<RegisterGranularity, D>(v, {k.registers, k.warps, k.shared});
      }
      return (k.registers * 32 + (unit(v) - 1)) / unit(v) * unit(v);
    });
  }
};

}  // namespace cuvier
