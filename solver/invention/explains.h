#pragma once

#include <algorithm>

#include "probes/fact.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// Whether all that was seen of a probe is as predicted.
inline bool explains(const Observation& predicted, const Recording& recording) {
  return std::ranges::all_of(
      recording.facts, [&](const Fact& fact) { return agrees(fact, predicted, recording.probe); });
}

/// Whether what replays recordings (a Simulator, a SpecialCase) predicts all of a session.
template <class Mechanism>
bool explains(Mechanism mechanism, const Session& session) {
  return std::ranges::all_of(session, [&](const Recording& recording) {
    return explains(mechanism.replay(recording), recording);
  });
}

}  // namespace cuvier
