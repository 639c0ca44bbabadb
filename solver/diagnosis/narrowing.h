#pragma once

#include <functional>
#include <string>

#include "hypotheses/assumptions.h"
#include "probes/family.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/evidence/evidence_log.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// What an inference does for it.
struct NarrowingMeans {
  std::function<void(const std::string&)> progress;
  Task task;
};

/// What comes nearest to what nothing explains. A pattern in what that gets wrong takes probes of
/// many kinds and some that are almost like what contradicts: up to 20 more are asked. Then up to
/// 20 that each halve what is open of where the pattern begins. A recording is read to its end.
NearMiss narrow_down(Oracle& oracle, EvidenceLog& evidence, const Assumptions& assumptions,
                     int max_probes, const NarrowingMeans& means);

}  // namespace cuvier
