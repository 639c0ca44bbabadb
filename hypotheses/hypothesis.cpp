#include "hypotheses/hypothesis.h"

#include <algorithm>

#include "hypotheses/values_of_proofs.h"

namespace cuvier {
bool matters(int axis, const Hypothesis& hypothesis) {
  const Relevance conditions = axis_info(axis).matters_when;
  if (conditions.empty() || outside_of_claims(hypothesis)) return true;
  return std::ranges::any_of(conditions, [&](const auto& conjunction) {
    return std::ranges::all_of(conjunction, [&](const AxisLiteral& literal) {
      return values_under(literal, axis) >> hypothesis.values[*find_axis(literal.axis)] & 1;
    });
  });
}

Hypothesis canonical(Hypothesis hypothesis) {
  // An axis that does not matter may be named by another's condition: repeat until stable.
  for (bool changed = true; changed;) {
    changed = false;
    for (int axis = 0; axis < kAxes; ++axis) {
      if (hypothesis.values[axis] != 0 && !matters(axis, hypothesis)) {
        hypothesis.values[axis] = 0;
        changed = true;
      }
    }
  }
  return hypothesis;
}

std::string describe(const Hypothesis& hypothesis) {
  const std::string text = differences({}, hypothesis);
  return text.empty() ? "algorithm-1" : text;
}

std::string differences(const Hypothesis& base, const Hypothesis& changed) {
  std::string text;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (changed.values[axis] == base.values[axis]) continue;
    if (!text.empty()) text += ',';
    text += axis_info(axis).name;
    text += '=';
    text += axis_value(axis, changed.values[axis]).name;
  }
  return text;
}

}  // namespace cuvier
