#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// The unit in which shared memory is allocated.
struct SharedGranularity {
  enum Value { b128, b256, b512, b1024 };
  static constexpr AxisValue values[] = {
      {"128", "128 bytes"}, {"256", "256 bytes"}, {"512", "512 bytes"}, {"1024", "1024 bytes"}};
  static constexpr AxisInfo info{"shared_granularity", "the allocation unit of shared memory",
                                 values};

  template <class D>
  static typename D::Int round_up(const D& d, const typename D::Int& bytes) {
    return d.template choose<SharedGranularity>([&](Value v) -> typename D::Int {
      const int unit = 128 << static_cast<int>(v);
      return (bytes + (unit - 1)) / unit * unit;
    });
  }
};

}  // namespace cuvier
