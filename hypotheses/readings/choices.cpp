#include "hypotheses/readings/choices.h"

namespace cuvier {

bool leaves_open(const Hypothesis& hypothesis) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisValue& value = axis_value(axis, hypothesis.values[axis]);
    if (value.several_outcomes && matters(axis, hypothesis)) return true;
  }
  return false;
}

int steps_of_one_outcome(const Device& device, const Hypothesis& hypothesis, const Probe& probe) {
  const bool has_several = leaves_open(hypothesis);
  int step = 0;
  for (const Action& action : probe.script) {
    const bool is_large =
        action.launch && probe.kernels[*action.launch].blocks > PairsInFlight::fewest(device);
    if (has_several && is_large) break;
    ++step;
  }
  return step;
}

bool SeenChoices::another_joins(const Choice& choice) {
  for (const Fact& fact : facts_) {
    if (fact.kind != Fact::Kind::sm || fact.step != choice.step || fact.kernel != choice.kernel) {
      continue;
    }
    const int turn = choice.number + choice.in_flight;  // of this pick again, if none joins
    return turn < std::ssize(fact.values) && fact.values[turn] != choice.sm;
  }
  return false;
}

bool SeenChoices::counts_late(const Choice& choice) {
  return ++asked_[choice.kernel] <= late_[choice.kernel];
}

}  // namespace cuvier
