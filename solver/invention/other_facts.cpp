#include "solver/invention/other_facts.h"

#include <algorithm>

#include "hypotheses/simulator.h"
#include "solver/invention/explains.h"

namespace cuvier {

std::vector<DeviceCorrection> corrections_that_explain(const Device& device,
                                                       const std::vector<Session>& sessions,
                                                       const Hypothesis& mechanism,
                                                       const Task& task) {
  // Those that go wrong first: nearly all corrections fail there.
  std::vector<const Session*> order;
  for (const Session& session : sessions) order.push_back(&session);
  const auto right = std::ranges::partition(order, [&](const Session* session) {
    return !explains(Simulator(device, mechanism), *session);
  });
  if (right.begin() == order.begin()) return {};
  std::ranges::sort(order.begin(), right.begin(), {}, [](const Session* s) { return s->size(); });
  std::vector<DeviceCorrection> corrections;
  for (const DeviceCorrection& correction : single_corrections(device)) {
    task.still();
    const Device other = corrected(device, {correction});
    // A learned order is one of all SMs.
    if (other.sms != device.sms && mechanism.get<TieBreak>() == TieBreak::learned) continue;
    if (std::ranges::all_of(order, [&](const Session* session) {
          return explains(Simulator(other, mechanism), *session);
        })) {
      corrections.push_back(correction);
    }
  }
  return corrections;
}

}  // namespace cuvier
