#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"
#include "solver/cancellation/task.h"
#include "solver/evidence/corrected_space.h"

namespace cuvier {

/// What a journal says, and what it leaves of the hypotheses.
struct EvidenceLeft {
  RecordingSet counted;         ///< in their order: what the space was pruned by
  std::vector<Recording> also;  ///< what was not, since too many ways explain it
  std::optional<std::string>
      doubted_too_soon;  ///< a probe that is left out (solver/evidence/doubt.h)
  CorrectedSpace space;
  int probes = 0;
};

/// Works it out as an inference does, from the recordings alone. `voted`: each is a session of its
/// own, and those of one probe are put to the vote. Throws Stopped where the task is to end, Error
/// where they cannot be taken in this way, and GaveUp where there are too many ways to explain a
/// probe that counts.
EvidenceLeft evidence_left(const RecordingSet& journal, const Assumptions& assumptions, bool voted,
                           const Task& task);

}  // namespace cuvier
