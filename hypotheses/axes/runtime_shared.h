#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// What the runtime reserves of each block's shared memory.
struct RuntimeShared {
  enum Value { b1024, b0, b2048 };
  static constexpr AxisValue values[] = {
      {"1024", "1 KiB per block"}, {"0", "nothing"}, {"2048", "2 KiB per block"}};
  static constexpr AxisInfo info{Part::shared_memory, "runtime_shared",
                                 "shared memory that the runtime reserves", values};

  template <class D>
  static typename D::Int bytes(const D& d) {
    return d.template choose<RuntimeShared>([](Value v) -> typename D::Int {
      return v == b1024 ? 1024 : v == b0 ? 0 : 2048;
    });
  }
};

}  // namespace cuvier
