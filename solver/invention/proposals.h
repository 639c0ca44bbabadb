#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// A rule that nobody wrote down, of one axis.
struct Proposal {
  int axis = 0;
  std::string formula;    ///< a value of the axis once formula_value() has it
  int size = 0;           ///< operators and operands, about
  Hypothesis hypothesis;  ///< the rest of the mechanism, under which it was found
  int decisions = 0;      ///< different inputs that it is asked for in the session with most
  int explained = 0;      ///< sessions
};

struct Proposals {
  std::vector<Proposal> found;  ///< each explains all that was observed; the smallest first
  /// Where there is none, the one that explains more sessions than others, and than the mechanism
  /// under which it was found.
  std::optional<Proposal> best;
  /// Axes for which something can be said: formulas up to that size were tried.
  std::map<int, int> tried;
  int sessions = 0;  ///< that were observed
  int formulas = 0;  ///< that were tried
};

struct ProposalLimits {
  std::optional<int> only = {};  ///< this axis
  int largest = 8;               ///< formula
  int most_found = 8;            ///< for one axis
  /// For one axis under one mechanism: blocks that are predicted, and a thousand times as many
  /// values of formulas. About a second for a million.
  double most_work = 20'000'000;
};

/// Looks for the smallest formulas of one axis with which everything that was observed on the
/// device is explained: under each of these mechanisms, then under those that differ from one in
/// one axis, as far as the assumptions allow. An axis is left out where a session goes wrong before
/// its rule is asked. Throws Stopped.
Proposals propose(const Device& device, const std::vector<Session>& sessions,
                  const std::vector<Hypothesis>& mechanisms, const Assumptions& assumptions,
                  const ProposalLimits& limits, const Task& task);

}  // namespace cuvier
