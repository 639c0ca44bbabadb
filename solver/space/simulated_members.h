#pragma once

#include <algorithm>
#include <vector>

#include "hypotheses/simulator.h"

namespace cuvier {

/// A few hypotheses, each as a simulated device.
class SimulatedMembers {
 public:
  /// They are where the latest session of what was observed ended.
  SimulatedMembers(const Device& device, const std::vector<Hypothesis>& members,
                   const std::vector<Recording>& observed) {
    for (const Hypothesis& each : members) {
      replay_session(observed, simulators_.emplace_back(device, each));
    }
  }

  /// Whether all of them show what was recorded. Where not, they are of no more use.
  bool predict(const Recording& recording) {
    return std::ranges::all_of(
        simulators_, [&](Simulator& each) { return explains(each.replay(recording), recording); });
  }

 private:
  std::vector<Simulator> simulators_;
};

}  // namespace cuvier
