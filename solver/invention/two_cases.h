#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hypotheses/axis.h"
#include "solver/cancellation/task.h"
#include "solver/invention/conditions.h"

namespace cuvier {

/// Tries on sessions which kinds of blocks go by another rule than the usual one.
class KindTrials {
 public:
  using IsOther = ConditionOnKinds;
  struct Outcome {
    bool explained = false;
    /// Those for which the two rules may differ, as they come up; up to where it goes wrong.
    std::vector<Kind> kinds = {};
  };

  virtual ~KindTrials() = default;
  virtual std::span<const FormulaName> names() const = 0;
  virtual Outcome outcome(int session, const IsOther& is_other) = 0;
  /// A session that is not explained, if there is one beside these (ascending).
  virtual std::optional<int> refuting(const IsOther& is_other, const std::vector<int>& but_for) = 0;
  /// What these trials cost so far, in blocks that were predicted, or took as long.
  virtual double blocks() const = 0;
};

/// The smallest conditions on kinds, as formulas over the names, under which the other rule holds,
/// and otherwise the usual one, so that all sessions are explained. `wrong`: those that the usual
/// rule does not explain, the cheapest first. Which kinds take which rule is found first, and a
/// condition learned from that: rules and conditions are not tried with each other, but one after
/// the other (divide and conquer: Alur, Radhakrishna and Udupa, TACAS 2017). Gives up once the
/// trials cost `most_blocks`. Throws Stopped.
std::vector<std::string> conditions_between(KindTrials& trials, const std::vector<int>& wrong,
                                            double most_blocks, const Task& task);

/// The formula of a rule for those for which the condition holds, and of another for the rest.
std::string in_two_cases_of(const FormulaInfo& info, const std::string& condition,
                            const std::string& rule, const std::string& otherwise);

}  // namespace cuvier
