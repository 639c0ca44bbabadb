#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// The unit in which a warp's registers are allocated.
struct RegisterGranularity {
  enum Value { r256, r512, r1024 };
  static constexpr AxisValue values[] = {
      {"256", "256 registers per warp (8 per thread)"},
      {"512", "512 registers per warp (16 per thread)"},
      {"1024", "1024 registers per warp (32 per thread)"},
  };
  static constexpr AxisInfo info{Part::warps, "register_granularity",
                                 "the allocation unit of registers", values};

  /// Registers.
  static constexpr int unit(Value v) {
    switch (v) {
      case r256:
        return 256;
      case r512:
        return 512;
      case r1024:
        return 1024;
    }
    return 0;
  }

  /// Registers that one warp holds.
  template <class D>
  static typename D::Int per_warp(const D& d, const typename D::Int& registers_per_thread) {
    return d.template choose<RegisterGranularity>([&](Value v) -> typename D::Int {
      return (registers_per_thread * 32 + (unit(v) - 1)) / unit(v) * unit(v);
    });
  }
};

}  // namespace cuvier
