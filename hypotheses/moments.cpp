#include "hypotheses/moments.h"

namespace cuvier {

bool leaves_open(const Hypothesis& hypothesis) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisValue& value = axis_info(axis).values[hypothesis.values[axis]];
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

bool SeenMoments::another_joins(const Moment& moment) {
  for (const Fact& fact : facts_) {
    if (fact.kind != Fact::Kind::sm || fact.step != moment.step || fact.kernel != moment.kernel) {
      continue;
    }
    const int turn = moment.number + moment.in_flight;  // of this pick again, if none joins
    return turn < std::ssize(fact.values) && fact.values[turn] != moment.sm;
  }
  return false;
}

bool SeenMoments::counts_late(const Moment& moment) {
  return ++asked_[moment.kernel] <= late_[moment.kernel];
}

}  // namespace cuvier
