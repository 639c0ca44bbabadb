#pragma once

#include <algorithm>

#include "probes/fact.h"
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

}  // namespace cuvier
