#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "hypotheses/simulator.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// What it costs to predict a session: its blocks.
inline double cost_of(const Session& session) {
  double blocks = 1;
  for (const Recording& recording : session) blocks += recording.probe.blocks();
  return blocks;
}

/// Whether what replays recordings (a Simulator, a SpecialCase) predicts all of a session.
template <class Mechanism>
bool explains(Mechanism mechanism, const Session& session) {
  return std::ranges::all_of(session, [&](const Recording& recording) {
    return explains(mechanism.replay(recording), recording);
  });
}

/// The sessions by number, those first that a mechanism gets wrong, the cheapest of each first; and
/// how many it gets wrong.
inline std::pair<std::vector<int>, std::size_t> wrong_first(const Device& device,
                                                            const Hypothesis& mechanism,
                                                            const std::vector<Session>& sessions) {
  std::vector<int> order(sessions.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int session) { return cost_of(sessions[session]); });
  const auto right = std::ranges::stable_partition(order, [&](int session) {
    return !explains(Simulator(device, mechanism), sessions[session]);
  });
  const std::size_t wrong = order.size() - right.size();
  return {std::move(order), wrong};
}

}  // namespace cuvier
