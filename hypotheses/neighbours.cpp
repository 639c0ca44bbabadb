#include "hypotheses/neighbours.h"

#include <algorithm>

#include "hypotheses/scheduler/topology.h"

namespace cuvier {

void learn_any_order(const Device& device, Hypothesis& hypothesis, Rng& rng) {
  if (hypothesis.get<TieBreak>() != TieBreak::learned) return;
  hypothesis.order = named_order(device, TieBreak::linear);
  std::ranges::shuffle(hypothesis.order, rng);
}

int changed_axis(const Hypothesis& base, const Hypothesis& changed) {
  const auto first = std::ranges::mismatch(base.values, changed.values).in1;
  return static_cast<int>(first - base.values.begin());
}

std::vector<Hypothesis> single_axis_changes(const Device& device, const Hypothesis& base,
                                            Rng& rng) {
  std::vector<Hypothesis> changes;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!matters(axis, base)) continue;
    for (int value = 0; value < named_values(axis); ++value) {
      if (value == base.values[axis] || !available(device, axis, value)) continue;
      Hypothesis& changed = changes.emplace_back(base);
      changed.values[axis] = static_cast<std::uint8_t>(value);
      learn_any_order(device, changed, rng);
    }
  }
  return changes;
}

std::vector<Hypothesis> reversed_axes(const Device& device, const Hypothesis& base) {
  std::vector<Hypothesis> changes;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!matters(axis, base)) continue;
    for (int value = 0; value < named_values(axis); ++value) {
      const std::optional<int> reverse = reverse_of(axis, value);
      if (!reverse || !available(device, axis, *reverse)) continue;
      // Somebody may have given the same formula.
      if (axis_value(axis, *reverse).name == axis_value(axis, base.values[axis]).name) continue;
      changes.emplace_back(base).values[axis] = static_cast<std::uint8_t>(*reverse);
    }
  }
  return changes;
}

}  // namespace cuvier
