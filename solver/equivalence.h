#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "solver/lemma.h"
#include "solver/smt_query.h"

namespace cuvier {

/// Whether hypotheses were proved to show the same on every sequence of probes.
struct Equivalence {
  enum class Kind { proved, not_proved, undecided };

  Kind kind = Kind::not_proved;
  std::optional<Proof> proof;
  std::string reason;  ///< not proved: what stands in the way; undecided: which query
};

/// Proves by induction over arbitrary states of the scheduler, not by unrolling, that these
/// hypotheses cannot be told apart on this device by which SM each block starts on, and when;
/// nor by the channels that are seen beside that (scheduler.md, oracle-protocol.md).
Equivalence prove_equivalent(const Device& device, const std::vector<Hypothesis>& hypotheses,
                             const std::vector<std::string>& channels, const SmtLimits& limits);

}  // namespace cuvier
