#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/invention/formula_search.h"
#include "solver/invention/proposals.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {

/// Sets of the axis's names, a bit each, none of them fleeting: rules are searched with each by
/// itself. What a rule of warp_placement may read of the pointer says whether that moves, and past
/// what.
std::vector<std::uint32_t> names_to_search_with(int axis);

/// The search for a formula of one axis, under one mechanism.
class AxisSearch {
 public:
  /// `wrong`: the sessions that the mechanism does not explain, ascending. `names`: what formulas
  /// may read of the axis's names, a bit each. Device and sessions must outlive it.
  AxisSearch(const Device& device, const std::vector<Session>& sessions,
             const Hypothesis& mechanism, std::vector<int> wrong, int axis, std::uint32_t names,
             const Assumptions& assumptions);

  /// Finds out how many of some sessions that go wrong a small formula explains, each of them
  /// perhaps another: what a rule of this axis may be the reason of. In so many blocks.
  void explain_one_by_one(const ProposalLimits& limits, double most_work, const Task& task);
  int one_by_one() const { return one_by_one_; }  ///< sessions
  /// Of these: those that one explains, or that all were tried on.
  int looked_at() const { return looked_at_; }
  /// The share of these; 0 where none was looked at.
  double plausibility() const { return 1.0 * one_by_one_ / std::max(looked_at_, 1); }

  // What is searched first.
  bool explains_each() const { return explains_some() && one_by_one_ == looked_at_; }
  bool explains_some() const { return explains_any() && may_explain_all(); }
  // Where another axis may be the reason of the rest.
  bool explains_most() const { return one_by_one_ > 1 && plausibility() > kMost; }
  bool explains_any() const { return one_by_one_ > 0; }
  /// Whether every session asks for the rule before anything goes wrong there.
  bool may_explain_all() const { return possible_.size() == wrong_.size(); }

  /// Of the formulas of the next size, those that explain everything.
  std::vector<Proposal> next_size(const ProposalLimits& limits, const Task& task);
  /// Of those that explain what the mechanism does, the one that explains most of the rest, and
  /// that share of it at least; from the smallest on.
  std::optional<Proposal> best(int largest, double least, const ProposalLimits& limits,
                               const Task& task);

  /// Of two simple rules the one for some kinds of blocks and the other for all others, that
  /// explain everything: the smallest conditions (two_cases.h).
  /// The mechanism's rule and another of the table, or any two.
  enum class Cases { of_own, of_any };
  std::vector<Proposal> in_two_cases(Cases cases, const ProposalLimits& limits, const Task& task);

  /// What explains everything, come to from the mechanism's own and from what explains single
  /// sessions, one change at a time (growth.h); with so much work.
  std::vector<Proposal> grown(double most_work, const Task& task);

  int axis() const { return axis_; }
  int size() const { return search_ ? search_->size() : 0; }  ///< of what was tried last
  int formulas() const { return formulas_; }                  ///< that were tried
  int pairs() const { return pairs_; }                        ///< of rules for different blocks
  double work() const;                                        ///< ProposalLimits::most_work
  /// Of that what next_size() and best() did: an axis that had its trial in cases has its turn
  /// there all the same.
  double work_on_sizes() const { return work() - work_elsewhere_; }

 private:
  class TriedFormula;

  static constexpr double kMost = 0.7;  ///< plausibility of the first of two rules

  /// Until one says that this will do.
  void each_of_next_size(const ProposalLimits& limits, const Task& task,
                         const std::function<bool(const TriedFormula&)>& tried);
  Proposal proposal(const TriedFormula& formula, int explained);
  Proposal proposal(const std::string& text);
  Rule some_rule();
  struct SimpleRules;
  SimpleRules simple_rules();
  /// Adds what it found; returns the work that it took.
  double by_kind(const TriedFormula& usual, const TriedFormula& other,
                 const std::vector<int>& wrong, double most, const Task& task,
                 std::vector<Proposal>& found);
  void begin();

  bool is_fleeting() const { return (names_ & fleeting_names(info_)) != 0; }
  /// Whether a formula reads nothing else.
  bool reads_only_names(const std::string& text) const;

  const Hypothesis mechanism_;
  int axis_;
  std::uint32_t names_;
  const FormulaInfo& info_;
  RuleTrials trials_;
  std::vector<std::string> known_;  ///< those of the table first
  std::size_t named_ = 0;           ///< of these
  std::unique_ptr<FormulaSearch> search_;
  std::vector<int> columns_;  ///< of the search, by input
  const std::vector<int> no_columns_;
  const std::vector<int> wrong_;
  std::vector<int> possible_;  ///< of these: the rule is asked there before anything goes wrong
  int one_by_one_ = 0;
  int looked_at_ = 0;
  std::set<std::string> explaining_;  ///< formulas: one or another of these
  std::string best_;                  ///< formula: explained most of the rest; or empty
  bool cut_short_ = false;            ///< at the size that was tried last
  int formulas_ = 0;
  int pairs_ = 0;
  double work_elsewhere_ = 0;
};

}  // namespace cuvier
