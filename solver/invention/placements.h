#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hypotheses/axes/mark.h"
#include "hypotheses/formulas/formula.h"
#include "hypotheses/hypothesis.h"
#include "solver/invention/rule_trials.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// An SM that has what a block asks for, as rules see it when the block is to be placed; or a
/// kernel in the queue.
struct Contender {
  int rank = 0;          ///< of an SM, in the tie-break order; of a kernel, as they joined
  RuleInputs choice;     ///< what a formula reads by which it is chosen: `selection`, `priority`
  RuleInputs admission;  ///< likewise; of an SM
};

/// Blocks that came to SMs or left them, each as a rule of marks sees it for that SM.
using SmEvents = std::vector<Seen<Mark, int>>;

/// One block, and where it went of all SMs that have what it asks for; of a cluster's block, of
/// those that the mechanism looks at until it is placed.
struct Placement {
  static constexpr int kWaits = -1;

  std::vector<Contender> eligible;
  int chosen = kWaits;                       ///< of these; or the block waits
  std::shared_ptr<const SmEvents> events{};  ///< of the session
  std::size_t after = 0;                     ///< so many of these
  /// Of a cluster's block: the others were passed over for it, and `selection` says nothing.
  bool of_cluster = false;
  /// Of a kernel's turn: which kernel got the block before, and how many in a row.
  bool is_latest_known = true;
};

/// The placements of a session, as they were seen. Each block goes where it went, whatever the
/// mechanism's rules would have chosen; so the rest of the mechanism says what each SM held. Ends
/// where a block went to an SM that has no room for it by the mechanism, or where kernels come in
/// another order, or where a recording does not tell the SM of each block. None where blocks are
/// numbered once all are chosen: which was the first does not show.
std::vector<Placement> placements_of(const Device& device, const Hypothesis& mechanism,
                                     const Session& session);

/// The same of kernels: whose turn it was, of that one and of all without clusters in the queue
/// that got no block with that launch or release. (In which order those came that got some does not
/// show.) None where a kernel may be tried because others do not fit.
std::vector<Placement> turns_of(const Device& device, const Hypothesis& mechanism,
                                const Session& session);

// What is learned of them: rules of marks (marked_placements.cpp), keys that choose among SMs or
// kernels (key_table.h), and conditions on these (one_condition.cpp, preferred_sms.cpp).

/// Formulas of `mark` that may be what chooses among SMs goes by, the smallest first: what a block
/// that comes writes, what others' marks become then, and what blocks that leave write; and marks
/// that an SM gets above so many warps or blocks and has until it holds no more than so many.
std::vector<Formula> rules_of_marks(const std::vector<Placement>& placements);

/// Has each eligible SM the mark that this formula says.
void mark(std::vector<Placement>& placements, const Formula& rule, int sms);

/// Formulas of `selection` by which each block went where it went: `own`, a formula too, among SMs
/// of some sort, which come before all others; a condition on SMs says which. `names`: what that
/// may read, a bit each.
std::vector<std::string> sms_that_come_first(const std::vector<Placement>& placements,
                                             std::uint32_t names, const std::string& own);

/// The same of `selection` or `priority`, where `own` is right but for one condition before it or
/// behind it: a threshold of a name, of its remainder or of two names together, or such a number
/// alone.
std::vector<std::string> own_and_a_condition(const FormulaInfo& axis,
                                             const std::vector<Placement>& placements,
                                             std::uint32_t names, const std::string& own);

/// Formulas of `priority` by which each kernel had its turn when it had, the smallest first: `own`
/// is the formula known so far. `names`: what they may read, a bit each.
std::vector<std::string> orders_of_kernels(const std::vector<Placement>& turns, std::uint32_t names,
                                           const std::string& own);

}  // namespace cuvier
