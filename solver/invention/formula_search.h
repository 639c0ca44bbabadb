#pragma once

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {

/// The formulas of an axis from the smallest on, of which no two say the same of all these inputs:
/// bottom-up enumeration with observational equivalence (Albarghouthi et al., CAV 2013). Beside the
/// operators, what rules of schedulers are made of counts as small: thresholds at values that were
/// seen, whether something is a multiple, rounding up to one, and rules that are known already.
class FormulaSearch {
 public:
  /// `known`: formulas of the axis to build upon, which are not proposed themselves.
  FormulaSearch(const FormulaInfo& info, const std::vector<std::string>& known,
                std::vector<RuleInputs> inputs);

  /// A formula: of those of an axis whose value is a number or a condition, with what it comes to.
  struct Found {
    std::string text;
    std::vector<int> column;  ///< by input; 0 or 1 of a condition; of an order, the places
  };
  /// Those of the next size; of these only the first, where it works longer. Throws Stopped.
  std::vector<Found> next_size(const Task& task, double most_work);
  /// What these were: operators and operands, about.
  int size() const { return size_; }
  /// Values that were worked out so far.
  double work() const { return work_; }

 private:
  using Term = Found;  ///< the text as that of an operand
  using Terms = std::vector<Term>;
  struct Operation;

  static const std::vector<Operation>& operations();

  void add_known(const std::string& text);
  void add_constants();
  void add_about(const Term& number);
  void add_results(const Operation& operation);
  void combine(const Operation& operation, std::vector<const Term*>& operands, int left);
  void add(const Operation& operation, const std::vector<const Term*>& operands);
  void count_work();
  bool may_add(bool condition) const;
  void add_number(int size, Term term);
  void add_condition(int size, Term term);

  std::vector<Found> found();
  void add_orders(std::vector<Found>& orders, std::vector<const Term*>& parts, int left);
  void add_order(std::vector<Found>& orders, const std::vector<const Term*>& parts);

  const FormulaInfo& info_;
  std::vector<RuleInputs> inputs_;
  int size_ = 0;
  std::array<std::size_t, 2> terms_{};  ///< numbers, conditions
  double work_ = 0;
  std::size_t made_ = 0;
  double most_work_ = 0;
  const Task* task_ = nullptr;
  std::vector<Terms> numbers_;     ///< by size
  std::vector<Terms> conditions_;  ///< likewise
  std::unordered_set<std::size_t> seen_numbers_;
  std::unordered_set<std::size_t> seen_conditions_;
  std::unordered_set<std::size_t> seen_orders_;
};

}  // namespace cuvier
