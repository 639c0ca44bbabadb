#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "hypotheses/axes/mark.h"
#include "hypotheses/hypothesis.h"
#include "solver/invention/rule_trials.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// An SM that has what a block asks for, as rules see it when the block is to be placed.
struct EligibleSm {
  int rank = 0;          ///< in the tie-break order
  RuleInputs selection;  ///< what a formula of that axis reads
  RuleInputs admission;  ///< likewise
};

/// Blocks that came to SMs or left them, each as a rule of marks sees it for that SM.
using SmEvents = std::vector<Seen<Mark, int>>;

/// One block, and where it went of all SMs that have what it asks for; of a cluster's block, of
/// those that the mechanism looks at until it is placed.
struct Placement {
  static constexpr int kWaits = -1;

  std::vector<EligibleSm> eligible;
  int chosen = kWaits;                       ///< of these; or the block waits
  std::shared_ptr<const SmEvents> events{};  ///< of the session
  std::size_t after = 0;                     ///< so many of these
  /// Of a cluster's block: the others were passed over for it, and `selection` says nothing.
  bool of_cluster = false;
};

/// The placements of a session, as they were seen. Each block goes where it went, whatever the
/// mechanism's rules would have chosen; so the rest of the mechanism says what each SM held. Ends
/// where a block went to an SM that has no room for it by the mechanism, or where kernels come in
/// another order, or where a recording does not tell the SM of each block.
std::vector<Placement> placements_of(const Device& device, const Hypothesis& mechanism,
                                     const Session& session);

}  // namespace cuvier
