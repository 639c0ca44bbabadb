#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// The unit in which shared memory is allocated.
struct SharedGranularity {
  enum Value { b128, b256, b512, b1024 };
  static constexpr AxisValue values[] = {
      {"128", "128 bytes"}, {"256", "256 bytes"}, {"512", "512 bytes"}, {"1024", "1024 bytes"}};
  static constexpr AxisInfo info{Part::shared_memory, "shared_granularity",
                                 "the allocation unit of shared memory", values};

  /// Bytes.
  static constexpr int unit(Value v) {
    switch (v) {
      case b128:
        return 128;
      case b256:
        return 256;
      case b512:
        return 512;
      case b1024:
        return 1024;
    }
    return 0;
  }

  template <class D>
  static typename D::Int round_up(const D& d, const typename D::Int& bytes) {
    return d.template choose<SharedGranularity>(
        [&](Value v) -> typename D::Int { return (bytes + (unit(v) - 1)) / unit(v) * unit(v); });
  }
};

}  // namespace cuvier
