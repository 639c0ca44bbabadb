#include "solver/invention/other_facts.h"

#include <algorithm>

#include "solver/invention/explains.h"

namespace cuvier {

std::vector<DeviceCorrection> corrections_that_explain(const Device& device,
                                                       const std::vector<Session>& sessions,
                                                       const Hypothesis& mechanism,
                                                       const Task& task) {
  // Those that go wrong first: nearly all corrections fail there.
  const auto [order, wrong] = wrong_first(device, mechanism, sessions);
  if (wrong == 0) return {};
  std::vector<DeviceCorrection> corrections;
  for (const DeviceCorrection& correction : single_corrections(device)) {
    task.still();
    const Device other = corrected(device, {correction});
    // A learned order is one of all SMs.
    if (other.sms != device.sms && mechanism.get<TieBreak>() == TieBreak::learned) continue;
    if (std::ranges::all_of(order, [&](int session) {
          return explains(Simulator(other, mechanism), sessions[session]);
        })) {
      corrections.push_back(correction);
    }
  }
  return corrections;
}

}  // namespace cuvier
