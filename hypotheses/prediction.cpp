#include "hypotheses/prediction.h"

#include "probes/error.h"

namespace cuvier {
namespace {

std::vector<int> order_under(const Device& device, const Hypothesis& hypothesis) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!available(device, axis, hypothesis.values[axis])) {
      const AxisInfo& info = axis_info(axis);
      throw Error(std::string(info.name) + "=" +
                  std::string(info.values[hypothesis.values[axis]].name) + " needs gpc_of_sm, which " +
                  device.name + " does not give: use a device file that has it");
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

Prediction::Prediction(const Device& device, const Hypothesis& hypothesis)
    : hypothesis_(hypothesis), sm_ranks_(ranks_of(order_under(device, hypothesis))) {}

void Prediction::placed(int kernel, int block, int sm, const Warps& warps) {
  Started& started = started_[kernel];
  started.kernel = kernel;
  started.block.push_back(block);
  started.sm.push_back(sm);
  started.warp_slot.push_back(warps.last_route);
}

Step Prediction::take_step() {
  Step step;
  for (auto& [kernel, started] : started_) step.started.push_back(std::move(started));
  started_.clear();
  return step;
}

Simulator::Simulator(const Device& device, const Hypothesis& hypothesis)
    : device_(device),
      hypothesis_(hypothesis),
      prediction_(device_, hypothesis_),
      scheduler_(prediction_, device_) {}

Simulator::Simulator(const Simulator& other) : Simulator(other.device_, other.hypothesis_) {
  scheduler_.set_carry(other.scheduler_.carry());
  scheduler_.set_warp_files(other.scheduler_.warp_files());
}

Observation Simulator::run(const Probe& probe) {
  Observation observation;
  scheduler_.begin(probe);
  for (const Action& action : probe.script) {
    if (action.launch) {
      scheduler_.launch(*action.launch);
    } else {
      scheduler_.release(action.releases);
    }
    observation.steps.push_back(prediction_.take_step());
    if (action.launch) {
      observation.steps.back().shared_config[*action.launch] =
          scheduler_.preferred_config(*action.launch);
    }
  }
  scheduler_.drain();
  prediction_.take_step();
  return observation;
}

Observation Simulator::preview(const Probe& probe) {
  const Carry carry = scheduler_.carry();
  const auto warp_files = scheduler_.warp_files();
  Observation observation = run(probe);
  scheduler_.set_carry(carry);
  scheduler_.set_warp_files(warp_files);
  return observation;
}

Observation predict(const Device& device, const Hypothesis& hypothesis, const Probe& probe) {
  return Simulator(device, hypothesis).run(probe);
}

}  // namespace cuvier
