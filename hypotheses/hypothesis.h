#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hypotheses/axes.h"

namespace cuvier {

/// One value for every axis: a complete claim about the mechanism.
/// Value-initialised, it is Algorithm 1 (as meant).
struct Hypothesis {
  std::array<std::uint8_t, kAxes> values{};
  std::vector<int> order;  ///< with tie_break = learned: the SMs, first to last

  template <class A>
  typename A::Value get() const {
    return static_cast<typename A::Value>(values[index_of<A>()]);
  }
  template <class A>
  void set(typename A::Value value) {
    values[index_of<A>()] = static_cast<std::uint8_t>(value);
  }
  /// The same with that value of that axis.
  Hypothesis with(int axis, int value) const {
    Hypothesis changed = *this;
    changed.values[axis] = static_cast<std::uint8_t>(value);
    return changed;
  }

  auto operator<=>(const Hypothesis&) const = default;
};

/// Whether the axis makes a difference under the hypothesis's other values
/// (AxisInfo::matters_when).
bool matters(int axis, const Hypothesis& hypothesis);

/// The hypothesis with every axis that does not matter at its first value.
Hypothesis canonical(Hypothesis hypothesis);

/// "algorithm-1", or what differs from it: "selection=first_fit,tie_break=linear".
std::string describe(const Hypothesis& hypothesis);

/// The values of `changed` that are not `base`'s: "selection=first_fit"; empty for none.
std::string differences(const Hypothesis& base, const Hypothesis& changed);

}  // namespace cuvier
