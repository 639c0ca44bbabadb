#include "solver/invention/proposal.h"

#include <fmt/format.h>

#include "hypotheses/axes.h"
#include "probes/number_in.h"

namespace cuvier {

Hypothesis mechanism_of(const Proposal& proposal) {
  return proposal.hypothesis.with(proposal.axis, formula_value(proposal.axis, proposal.formula));
}

std::string no_name_of_value(int axis, std::string text) {
  const auto value = find_value(axis, text);
  if (!value || *value >= named_values(axis)) return text;
  const auto number = number_in<int>(text);
  if (number) return fmt::format("{} * 2", *number / 2);
  return std::string(axis_value(axis, *value).formula);
}

std::string words_of(const Proposal& proposal) {
  std::string words = fmt::format("{}={}", axis_info(proposal.axis).name, proposal.formula);
  for (int axis = 0; axis < kAxes; ++axis) {
    const int value = proposal.hypothesis.values[axis];
    if (axis == proposal.axis || value < named_values(axis)) continue;
    words += fmt::format(",{}={}", axis_info(axis).name, axis_value(axis, value).name);
  }
  return words;
}

Proposal turned_round(const Proposal& proposal, int axis) {
  Proposal other = proposal;
  other.axis = axis;
  other.formula = axis_value(axis, proposal.hypothesis.values[axis]).name;
  other.hypothesis = mechanism_of(proposal);
  return other;
}

}  // namespace cuvier
