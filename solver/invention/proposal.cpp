#include "solver/invention/proposal.h"

#include <fmt/format.h>

#include <cstdint>

#include "hypotheses/axes.h"

namespace cuvier {

Hypothesis mechanism_of(const Proposal& proposal) {
  Hypothesis mechanism = proposal.hypothesis;
  mechanism.values[proposal.axis] =
      static_cast<std::uint8_t>(formula_value(proposal.axis, proposal.formula));
  return mechanism;
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
