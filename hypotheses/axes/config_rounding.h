#pragma once

#include <vector>

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/readings/integers.h"

namespace cuvier {

/// How a wanted number of bytes becomes a shared-memory configuration.
struct ConfigRounding {
  enum Value : int { up_to_supported, exact, power_of_two, largest };
  static constexpr AxisValue values[] = {
      {"up_to_supported", "the least supported one that suffices", "up"},
      {"exact", "exactly what is wanted, not rounded", "wanted"},
      {"power_of_two", "the least power of two that suffices", "power(wanted)"},
      {"largest", "always the largest", "largest"},
  };
  static constexpr FormulaName names[] = {
      {"wanted", "bytes that the blocks need for which it is made", 0, 1 << 30, lasting,
       said_by("config_occupancy", "config_target")},
      {"up", "the smallest supported configuration of that size, else the largest", 0, kMostShared,
       lasting, said_by("config_occupancy", "config_target")},
      {"down", "the largest supported configuration up to that size, else the smallest", 0,
       kMostShared, lasting, said_by("config_occupancy", "config_target")},
      {"largest", "supported configuration", 0, kMostShared},
      asked::warps,
      asked::registers,
      asked::bytes,
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number,
                                       "bytes of the configuration; no more than the largest", 0,
                                       kMostShared};
  static constexpr AxisTitle title{Part::shared_memory, "config_rounding",
                                   "how a configuration is rounded",
                                   "a shared-memory configuration is"};

  /// What is rounded does not matter where the configuration is always the largest.
  static constexpr AxisLiteral rounded[] = {
      {"config_rounding", one_of(up_to_supported, exact, power_of_two)}};
  static constexpr std::span<const AxisLiteral> if_rounded[] = {rounded};

  /// For a kernel of such blocks. `configs`: supported sizes, bytes, ascending; no result exceeds
  /// the last.
  template <class C, class D>
  static typename D::Int round(const C& d, const typename D::Int& wanted, const Demand<D>& k,
                               const std::vector<int>& configs) {
    using Int = typename D::Int;
    return d.template choose<ConfigRounding>([&](Value v) -> Int {
      const Int most = configs.back();
      switch (v) {
        case up_to_supported:
          return up<Int>(wanted, configs);
        case exact:
          return min(wanted, most);
        case power_of_two:
          return min(up_to_power_of_two(wanted), most);
        case largest:
          return most;
      }
      const Int rounded = number_by_formula<ConfigRounding, D>(
          v, {wanted, up<Int>(wanted, configs), down<Int>(wanted, configs), most, k.warps,
              k.registers, k.shared});
      return min(rounded, most);
    });
  }

 private:
  template <class Int>
  static Int up(const Int& wanted, const std::vector<int>& configs) {
    Int rounded = configs.back();
    for (auto config = configs.rbegin(); config != configs.rend(); ++config) {
      rounded = ite(wanted <= *config, Int(*config), rounded);
    }
    return rounded;
  }

  template <class Int>
  static Int down(const Int& wanted, const std::vector<int>& configs) {
    Int rounded = configs.front();
    for (const int config : configs) rounded = ite(Int(config) <= wanted, Int(config), rounded);
    return rounded;
  }
};

}  // namespace cuvier
