#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/invention/exceptions.h"
#include "solver/invention/proposal.h"
#include "solver/space/sessions.h"

namespace cuvier {

struct SearchedAxis {
  int size = 0;        ///< of the largest formulas that were tried
  int one_by_one = 0;  ///< sessions that go wrong and that a small formula explains, each its own
  int looked_at = 0;   ///< of how many of them that was asked
};

struct Proposals {
  std::vector<Proposal> found;  ///< each explains all that was observed; the smallest first
  /// Where there is none, the one that explains more sessions than others, and than the mechanism
  /// under which it was found.
  std::optional<Proposal> best;
  /// Where no small formula is found: mechanisms that explain everything, and that no formula says.
  std::vector<Exception> exceptions;
  /// Axes whose rule may be what is missing: under one of the mechanisms, every session asks for it
  /// before anything goes wrong there.
  std::vector<int> suspects;
  std::map<int, SearchedAxis> searched;
  int sessions = 0;       ///< that were observed
  int wrong = 0;          ///< of these, under the first mechanism
  int formulas = 0;       ///< that were tried
  int pairs = 0;          ///< of rules, one for some blocks and the other for the rest: likewise
  std::string cut_short;  ///< why the search ended early; empty: it did not
};

struct ProposalLimits {
  std::optional<int> only = {};  ///< this axis
  int largest = 8;               ///< formula
  int most_found = 8;            ///< for one axis
  /// For one axis under one mechanism: blocks that are predicted, and a thousand times as many
  /// values of formulas. About a second for a million.
  double most_work = 20'000'000;
  double most_work_in_all = 150'000'000;
};

/// Looks for the smallest formulas of one axis with which everything that was observed on the
/// device is explained: under each of these mechanisms, then under those that differ from one in
/// one axis, as far as the assumptions allow. An axis is left out where a session goes wrong before
/// its rule is asked. Throws Stopped as long as it is not known which axes may be the reason.
Proposals propose(const Device& device, const std::vector<Session>& sessions,
                  const std::vector<Hypothesis>& mechanisms, const Assumptions& assumptions,
                  const ProposalLimits& limits, const Task& task);

}  // namespace cuvier
