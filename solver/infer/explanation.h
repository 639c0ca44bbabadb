#pragma once

#include <optional>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/diagnosis/narrowing.h"
#include "solver/evidence/evidence_log.h"
#include "solver/finding/finding.h"

namespace cuvier {

// Where an inference ends as refuted, and why. Where the task is to end, or
// the oracle is interrupted, what is known of the reasons by then is told, and that it is not all.

/// Of a space of which nothing is left: what clashes, and what comes nearest; or that the oracle
/// seems to start each probe anew, and nothing else then.
Finding why_refuted(Oracle& oracle, EvidenceLog& evidence, const Assumptions& assumptions,
                    int max_probes, Rng& rng, const NarrowingMeans& means);

/// What was set aside must be as what is left predicts; none if it is.
std::optional<Finding> refuted_by_set_aside(const EvidenceLog& evidence,
                                            const Assumptions& assumptions, const Task& task);

}  // namespace cuvier
