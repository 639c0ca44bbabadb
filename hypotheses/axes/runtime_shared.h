#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// What the runtime reserves of each block's shared memory.
struct RuntimeShared {
  enum Value : int { b1024, b0, b2048 };
  static constexpr AxisValue values[] = {
      {"1024", "1 KiB per block", "512 * 2"},
      {"0", "nothing", "0 * bytes"},
      {"2048", "2 KiB per block", "1024 * 2"},
  };
  static constexpr FormulaName names[] = {asked::bytes, asked::warps, asked::registers};
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number,
                                       "bytes of each block that the runtime takes", 0, 65536};
  static constexpr AxisTitle title{Part::shared_memory, "runtime_shared",
                                   "shared memory that the runtime reserves",
                                   "of shared memory, the runtime reserves"};

  /// Of such a block.
  template <class C, class D>
  static typename D::Int bytes(const C& d, const Demand<D>& k) {
    return d.template choose<RuntimeShared>([&](Value v) -> typename D::Int {
      if (v == b1024) return 1024;
      if (v == b0) return 0;
      if (v == b2048) return 2048;
      return number_by_formula<RuntimeShared, D>(v, {k.shared, k.warps, k.registers});
    });
  }
};

}  // namespace cuvier
