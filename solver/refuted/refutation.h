#pragma once

#include <optional>

#include "solver/finding/mismatches.h"

namespace cuvier {

/// The least that still contradicts a hypothesis: one fact of one recording, and what ran
/// before it in its session, which may have left state behind.
struct Refutation {
  RecordingSet set;           ///< the recordings, the last with that one fact, others with none
  Mismatch mismatch;          ///< the fact
  int recordings_before = 0;  ///< of the whole set
  int facts_before = 0;
  int facts_wrong = 0;
};

/// The smallest refutation: fewest recordings, then the smallest probe (size_of), then the
/// first fact. All that the hypothesis gets wrong is looked at, so it is proved least. None
/// where the hypothesis explains everything. Probes stay whole: they cannot be asked again.
std::optional<Refutation> smallest_refutation(const RecordingSet& set,
                                              const Hypothesis& hypothesis);

}  // namespace cuvier
