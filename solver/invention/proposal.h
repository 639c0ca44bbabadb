#pragma once

#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {

/// A rule that nobody wrote down, of one axis.
struct Proposal {
  int axis = 0;
  std::string formula;               ///< a value of the axis once formula_value() has it
  int size = 0;                      ///< operators and operands, about
  Hypothesis hypothesis;             ///< the rest of the mechanism, under which it was found
  std::vector<DecidedCase> decided;  ///< in the session with most
  int explained = 0;                 ///< sessions, or parts of them (PartsOfSessions)
  int observed = 0;                  ///< of so many

  double share() const { return static_cast<double>(explained) / observed; }
};

/// With its rule in it, which is a value of its axis from then on: throws Error where that has all
/// that it can have.
Hypothesis mechanism_of(const Proposal& proposal);

/// The formula as it can be given: what is written as the name of a value would be taken for that
/// value. A number, of which all such names are even, is twice its half then.
std::string no_name_of_value(int axis, std::string text);

/// All of its formulas, "AXIS=FORMULA,AXIS=FORMULA": its own first.
std::string words_of(const Proposal& proposal);

/// The same two rules, the other way round: that of this axis, which the mechanism has, is
/// proposed.
Proposal turned_round(const Proposal& proposal, int axis);

}  // namespace cuvier
