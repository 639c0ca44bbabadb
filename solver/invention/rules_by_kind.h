#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/invention/rule_trials.h"
#include "solver/invention/two_cases.h"

namespace cuvier {

/// Two rules of one axis for different kinds of blocks.
class RulesByKind : public KindTrials {
 public:
  /// `trials` must outlive it.
  RulesByKind(RuleTrials& trials, const FormulaInfo& info, Rule usual, Rule other);

  /// Whether rules of the axis read what is the same for all blocks of a kernel.
  static bool are_possible(const FormulaInfo& info);

  std::span<const FormulaName> names() const override { return names_; }
  Outcome outcome(int session, const IsOther& is_other) override;
  std::optional<int> refuting(const IsOther& is_other, const std::vector<int>& but_for) override;
  double blocks() const override;

 private:
  Kind kind_of(int input) const;
  Rule rule_of(const IsOther& is_other) const;

  RuleTrials& trials_;
  const double before_;       ///< blocks that were predicted
  mutable double asked_ = 0;  ///< times that a rule was
  const Rule usual_;
  const Rule other_;
  std::vector<int> places_;  ///< of the names, among those of the axis
  std::vector<FormulaName> names_;
};

}  // namespace cuvier
