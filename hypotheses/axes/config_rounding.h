#pragma once

#include <vector>

#include "hypotheses/axis.h"
#include "hypotheses/readings/integers.h"

namespace cuvier {

/// How a wanted number of bytes becomes a shared-memory configuration.
struct ConfigRounding {
  enum Value { up_to_supported, exact, power_of_two, largest };
  static constexpr AxisValue values[] = {
      {"up_to_supported", "the least supported configuration that suffices"},
      {"exact", "no rounding"},
      {"power_of_two", "the least power of two that suffices"},
      {"largest", "always the largest"},
  };
  static constexpr AxisInfo info{Part::shared_memory, "config_rounding",
                                 "how a configuration is rounded", values};

  /// `configs`: supported sizes, bytes, ascending; no result exceeds the last.
  template <class D>
  static typename D::Int round(const D& d, const typename D::Int& wanted,
                               const std::vector<int>& configs) {
    using Int = typename D::Int;
    return d.template choose<ConfigRounding>([&](Value v) -> Int {
      Int rounded = configs.back();
      if (v == exact) rounded = min(wanted, rounded);
      if (v == up_to_supported) {
        for (auto config = configs.rbegin(); config != configs.rend(); ++config) {
          rounded = ite(wanted <= *config, Int(*config), rounded);
        }
      }
      if (v == power_of_two) {
        int power = 1;
        while (power < configs.back()) power *= 2;
        for (; power > 0; power /= 2) {
          rounded = ite(wanted <= power, Int(std::min(power, configs.back())), rounded);
        }
      }
      return rounded;
    });
  }
};

}  // namespace cuvier
