#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "solver/constraints/refutations.h"
#include "solver/constraints/tabled_values.h"

namespace cuvier {

/// Whether no constraint is against the hypothesis, of which nothing is left to chance.
inline bool admits(const Refutations& refutations, const Hypothesis& hypothesis) {
  const Tables& tables = refutations.tables();
  const std::vector<Circuit::Node>& nodes = tables.circuit.nodes();
  std::vector<bool> true_at(nodes.size());
  const auto holds = [&](Circuit::Literal l) { return true_at[std::abs(l)] == (l > 0); };
  true_at[Circuit::kTrue] = true;
  for (int axis = 0; axis < kAxes; ++axis) {
    const Circuit::Literal has = tables.axes.is(axis, hypothesis.values[axis]);
    if (has == -Circuit::kTrue) return false;  // a value that is not assumed
    true_at[has] = true;
  }
  for (std::size_t node = 2; node < nodes.size(); ++node) {
    if (nodes[node].a != 0) true_at[node] = holds(nodes[node].a) && holds(nodes[node].b);
  }
  return std::ranges::none_of(tables.contradicted,
                              [&](const Contradicted& each) { return holds(each.literal); });
}

}  // namespace cuvier
