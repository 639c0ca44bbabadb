#include "solver/invention/other_facts.h"

#include <algorithm>

#include "hypotheses/simulator.h"

namespace cuvier {
namespace {

bool explains(const Device& device, const Hypothesis& mechanism, const Session& session) {
  Simulator simulator(device, mechanism);
  return std::ranges::all_of(session, [&](const Recording& recording) {
    const Observation predicted = simulator.replay(recording);
    return std::ranges::all_of(recording.facts, [&](const Fact& fact) {
      return agrees(fact, predicted, recording.probe);
    });
  });
}

}  // namespace

std::vector<DeviceCorrection> corrections_that_explain(const Device& device,
                                                       const std::vector<Session>& sessions,
                                                       const Hypothesis& mechanism,
                                                       const Task& task) {
  // Those that go wrong first: nearly all corrections fail there.
  std::vector<const Session*> order;
  for (const Session& session : sessions) order.push_back(&session);
  const auto right = std::ranges::partition(
      order, [&](const Session* session) { return !explains(device, mechanism, *session); });
  if (right.begin() == order.begin()) return {};
  std::ranges::sort(order.begin(), right.begin(), {}, [](const Session* s) { return s->size(); });
  std::vector<DeviceCorrection> corrections;
  for (const DeviceCorrection& correction : single_corrections(device)) {
    task.still();
    const Device other = corrected(device, {correction});
    if (std::ranges::all_of(
            order, [&](const Session* session) { return explains(other, mechanism, *session); })) {
      corrections.push_back(correction);
    }
  }
  return corrections;
}

}  // namespace cuvier
