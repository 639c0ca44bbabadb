#pragma once

#include "hypotheses/axis.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// What the runtime reserves of each block's shared memory.
struct RuntimeShared {
  enum Value : int { b1024, b0, b2048 };
  static constexpr AxisValue values[] = {
      {.name = "1024", .meaning = "1 KiB per block", .formula = "512 * 2"},
      {.name = "0", .meaning = "nothing", .formula = "0 * bytes"},
      {.name = "2048", .meaning = "2 KiB per block", .formula = "1024 * 2"},
  };
  static constexpr FormulaName names[] = {
      {"bytes", "that a block asks for", 0, kMostShared},
      {"w", "warps of the block", 1, kMostOfAnSm},
      {"registers", "of a thread", 0, kMostRegisters},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number,
                                       "bytes of each block that the runtime takes", 0, 65536};
  static constexpr AxisInfo info{Part::shared_memory,
                                 "runtime_shared",
                                 "shared memory that the runtime reserves",
                                 values,
                                 {},
                                 &formula};

  /// Of a block of w warps that asks for `shared` bytes.
  template <class D>
  static typename D::Int bytes(const D& d, const typename D::Int& shared, const typename D::Int& w,
                               const typename D::Int& registers_per_thread) {
    return d.template choose<RuntimeShared>([&](Value v) -> typename D::Int {
      switch (v) {
        case b1024:
          return 1024;
        case b0:
          return 0;
        case b2048:
          return 2048;
      }
      return number_by_formula<RuntimeShared, D>(v, {shared, w, registers_per_thread});
    });
  }
};

}  // namespace cuvier
