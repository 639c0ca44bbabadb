#pragma once

#include <string>

#include "solver/proof/equivalence.h"

namespace cuvier {

// What a session that begins with an opening (null: anywhere) has left behind for good.

/// Whether cursors that never return to the start are elsewhere.
bool visits_all_sms(const Device& device, const InitialObservation* opening);
/// Whether local memory that only grows suffices for any probe.
bool opens_with_most_local(const InitialObservation* opening);

/// What a proof says, in words.
struct Claim {
  std::string sentence;  ///< empty: no class has two members, so there is nothing to claim
  std::string argument;  ///< why the lemmas show it
};
Claim claim_of(const Device& device, const Classes& classes, const InitialObservation* opening);

}  // namespace cuvier
