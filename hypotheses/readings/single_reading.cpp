#include "hypotheses/readings/single_reading.h"

#include <string>

#include "hypotheses/scheduler/topology.h"
#include "probes/an_error.h"

namespace cuvier {
namespace {

std::vector<int> order_under(const Device& device, const Hypothesis& hypothesis) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!predictable(device, axis, hypothesis.values[axis])) {
      const auto& value = axis_value(axis, hypothesis.values[axis]);
      throw an_error("{}={} needs {}", axis_info(axis).name, value.name,
                     not_given(value.needs, device.name));
    }
  }
  const auto tie_break = hypothesis.get<TieBreak>();
  if (tie_break != TieBreak::learned) return named_order(device, tie_break);
  std::vector<int> sorted = hypothesis.order;
  std::ranges::sort(sorted);
  for (int sm = 0; sm < device.sms; ++sm) {
    if (static_cast<int>(sorted.size()) != device.sms || sorted[sm] != sm) {
      throw Error("tie_break=learned needs an \"order\" that lists each of the " +
                  std::to_string(device.sms) + " SMs once");
    }
  }
  return hypothesis.order;
}

}  // namespace

SingleReading::SingleReading(const Device& device, const Hypothesis& hypothesis)
    : SingleReading(hypothesis, ranks_of(order_under(device, hypothesis))) {}

}  // namespace cuvier
