#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

namespace cuvier {

// What a value domain (value_domain.h) has as functions: these are the integers'.

using std::max;
using std::min;

inline int ite(bool condition, int then, int otherwise) { return condition ? then : otherwise; }

/// The least power of two that is not smaller; 2^30 at most.
template <class Int>
Int up_to_power_of_two(const Int& number) {
  constexpr int most = 1 << 30;
  if constexpr (std::is_same_v<Int, int>) {
    return number < most ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(max(number, 1))))
                         : most;
  } else {
    Int rounded = most;
    for (int power = most / 2; power > 0; power /= 2) {
      rounded = ite(number <= Int(power), Int(power), rounded);
    }
    return rounded;
  }
}

/// Whether the condition may hold at all; only a false that is certain is false.
inline bool possible(bool condition) { return condition; }

}  // namespace cuvier
