#pragma once

#include <optional>
#include <string>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/diagnosis/narrowing.h"
#include "solver/evidence/evidence_log.h"
#include "solver/finding/finding.h"
#include "solver/proof/equivalence.h"

namespace cuvier {

/// Why an inference ended, in words: what is left is one of those within so many axes; `behaviour`:
/// of so many hypotheses, which were proved equivalent `in_such_sessions`.
std::string one_is_left(const Assumptions& assumptions);
std::string one_behaviour_is_left(const Assumptions& assumptions, std::size_t hypotheses,
                                  bool in_such_sessions);

/// Why several hypotheses are left though nothing splits them: what was tried, and what of it did
/// not prove them alike. `in_vain`: the last answers that might have told by chance. `too_many`: to
/// be compared. `classes`: into which they were sorted, if they were.
std::string why_unsplit(bool could_be_asked, int in_vain, bool too_many,
                        const std::optional<Classes>& classes);

// Where an inference ends as refuted, and why. Where the task is to end, or
// the oracle is interrupted, what is known of the reasons by then is told, and that it is not all.

/// Of a space of which nothing is left: what clashes, and what comes nearest; or that the oracle
/// seems to start each probe anew, and nothing else then.
Finding why_refuted(Oracle& oracle, EvidenceLog& evidence, const Assumptions& assumptions,
                    int max_probes, const NarrowingMeans& means);

/// What was set aside must be as what is left predicts; none if it is.
std::optional<Finding> refuted_by_set_aside(const EvidenceLog& evidence,
                                            const Assumptions& assumptions, const Task& task);

}  // namespace cuvier
