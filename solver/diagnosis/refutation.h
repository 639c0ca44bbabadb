#pragma once

#include <optional>
#include <string>

#include "solver/cancellation/task.h"
#include "solver/finding/mismatches.h"

namespace cuvier {

/// The least that still contradicts a hypothesis: one fact of one recording, and what ran
/// before it in its session, which may have left state behind.
struct Refutation {
  RecordingSet set;           ///< the recordings, the last with that one fact, others with none
  Mismatch mismatch;          ///< the fact
  int recordings_before = 0;  ///< of the whole set, or as far as it was looked at
  int facts_before = 0;
  int facts_wrong = 0;
  std::string cut_short = {};  ///< why it ended early, if so: there may be a smaller one
};

/// The smallest refutation: fewest recordings, then the smallest probe (size_of), then the
/// first fact. All that the hypothesis gets wrong is looked at, so it is proved least. None
/// where the hypothesis explains everything. Probes stay whole: they cannot be asked again. If
/// the task is to end, the smallest by then; where there is none, it comes
/// through.
std::optional<Refutation> smallest_refutation(const RecordingSet& set, const Hypothesis& hypothesis,
                                              const Task& task = {});

}  // namespace cuvier
