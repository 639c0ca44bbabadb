#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// The unit in which shared memory is allocated.
struct SharedGranularity {
  enum Value : int { b128, b256, b512, b1024 };
  static constexpr AxisValue values[] = {
      {"128", "128 bytes", "(bytes + 127) / 128 * 128"},
      {"256", "256 bytes", "(bytes + 255) / 256 * 256"},
      {"512", "512 bytes", "(bytes + 511) / 512 * 512"},
      {"1024", "1024 bytes", "(bytes + 1023) / 1024 * 1024"},
  };
  static constexpr FormulaName names[] = {asked::bytes, asked::warps, asked::registers};
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number,
                                       "bytes that are allocated, beside the runtime's", 0,
                                       kMostShared};
  static constexpr AxisTitle title{Part::shared_memory, "shared_granularity",
                                   "the allocation unit of shared memory",
                                   "shared memory is allocated in units of"};

  /// Bytes; 0 of a formula.
  static constexpr int unit(Value v) { return v <= b1024 ? 128 << v : 0; }
  static_assert(128 << b1024 == 1024);

  /// Bytes of such a block, beside the runtime's.
  template <class C, class D>
  static typename D::Int bytes(const C& d, const Demand<D>& k) {
    return d.template choose<SharedGranularity>([&](Value v) -> typename D::Int {
      if (unit(v) == 0) {
        return number_by_formula<SharedGranularity, D>(v, {k.shared, k.warps, k.registers});
      }
      return (k.shared + (unit(v) - 1)) / unit(v) * unit(v);
    });
  }
};

}  // namespace cuvier
