#pragma once

#include <vector>

#include "verify/recording.h"

namespace cuvier::verify {

/// The runs of one probe, and what they settle (docs/design/wrong-answers.md).
struct Voted {
  Recording outcome;  ///< as far as each part leads every other by three runs
  int runs = 0;
  int differing = 0;       ///< runs that say otherwise
  bool is_settled = true;  ///< all of the probe
};

/// Each part of what the runs of a probe show (a kernel in a step) is put to the vote by itself.
/// Throws Unreadable where they are no runs of one probe, each in a session of its own.
std::vector<Voted> put_to_vote(const std::vector<Recording>& recordings);

}  // namespace cuvier::verify
