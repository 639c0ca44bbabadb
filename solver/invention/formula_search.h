#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hypotheses/fast/flat_index.h"
#include "hypotheses/formulas/formula.h"
#include "solver/cancellation/task.h"
#include "solver/invention/columns.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {

/// The formulas of an axis from the smallest on, of which no two say the same of all these inputs:
/// bottom-up enumeration with observational equivalence (Albarghouthi et al., CAV 2013). Beside the
/// operators, what rules of schedulers are made of counts as small: thresholds at values that were
/// seen, whether something is a multiple, rounding up to one, and rules that are known already.
/// Some forms are tried only as a whole (formula_forms.cpp): known rules with another number, and
/// so many for each of something.
class FormulaSearch {
 public:
  /// `names`: what they may read of the axis's names, a bit each. `known`: formulas of the axis to
  /// build upon, which are not proposed themselves; the likeliest first.
  FormulaSearch(const FormulaInfo& info, std::uint32_t names, const std::vector<std::string>& known,
                std::vector<RuleInputs> inputs);

  /// A formula: of those of an axis whose value is a number or a condition, with what it comes to.
  struct Found {
    std::string text;
    Numbers column;  ///< by input; 0 or 1 of a condition; of an order, the places
  };
  using Tried = std::function<bool(const Found&)>;
  /// Tries those of the next size one after the other, until one is enough (`tried` says false), or
  /// it worked longer. Throws Stopped.
  void next_size(const Task& task, double most_work, const Tried& tried);
  /// What these were: operators and operands, about.
  int size() const { return size_; }
  /// Values that were worked out so far.
  double work() const { return work_; }

 private:
  static constexpr int kMostThresholds = 100;

  /// An operand.
  struct Term {
    std::string text;
    Numbers column;
    int least;
    int most;
    Term(std::string text_of, Numbers column_of);
    Term(std::string text_of, const Conditions& column_of)
        : Term(std::move(text_of), ite(column_of, 1, 0)) {}
    bool is_constant() const { return least == most; }
  };
  using Terms = std::vector<Term>;
  struct Operation {
    std::string_view text;      ///< {}: an operand
    std::string_view meaning;   ///< over a, b and c: a number, of a condition 0 or 1
    std::string_view operands;  ///< n: a number, c: a condition
    int furthest;               ///< from 0, that its operands may be
    bool commutes = false;
    bool is_condition = false;
    Formula formula = {};
  };

  static const std::vector<Operation>& operations();
  static const Operation& operation(std::string_view text);

  Term number(int value) const;
  /// In a product: a name with a bound, so that it stays in range.
  std::string as_factor(const Term& term) const;
  /// What a formula of one part comes to.
  Numbers column_of(const Formula& formula) const;
  void add_known(const std::string& text);
  void add_constants();
  void add_about(const Term& number);
  void combine(const Operation& operation, std::vector<const Term*>& operands, int left);
  /// Where it is in range, and new.
  std::optional<Term> result(const Operation& operation, const std::vector<const Term*>& operands);
  bool is_new(bool condition, const Numbers& column);
  /// Nothing larger will be made.
  void forget_operands();
  void add(bool condition, int size, Term term);
  void add_new(bool condition, int size, Term term);
  void offer(bool condition, const Term& term);
  void offer_new(bool condition, const Term& term);
  const Term* own_name() const;
  void offer_orders(std::vector<const Term*>& parts, int left);
  void offer_order(const std::vector<const Term*>& parts);
  void count_work();
  bool is_over() const { return enough_ || work_ >= most_work_; }

  // What is tried as a whole only: formula_forms.cpp, condition_forms.cpp, two_way_forms.cpp.
  void offer_forms();
  void offer_conditions();
  void offer_always_and_never();
  void offer_whole(const Operation& operation, const std::vector<const Term*>& operands);
  void offer_known_otherwise(std::size_t numbers);
  void offer_text(const std::string& text);
  Terms known_rules() const;
  std::optional<Term> rule_of(const std::string& text) const;
  std::optional<Term> times(const Term& name, int factor) const;
  static Term power_of(const Term& number);
  void offer_powers();
  void offer_lines();
  void offer_sums();
  void offer_beside_names(const Term& number);
  void offer_coarse();
  void offer_shares();
  void offer_parts();
  void offer_steps();
  void offer_ratios();
  void offer_distances();
  Terms sums() const;
  Terms products() const;
  void offer_thresholds(const Terms& terms, const Term* beside = nullptr);
  void offer_comparison(const Term& one, const Term& other);
  void offer_comparisons();
  void offer_sorted(const Term& condition);
  void offer_comparisons_of(const Terms& products);
  void offer_there_and_back();
  void offer_two_ways();
  void offer_switches();
  void offer_other_results();

  const FormulaInfo& info_;
  std::vector<std::string> known_texts_;
  std::vector<RuleInputs> inputs_;
  int size_ = 0;
  std::size_t cells_ = 0;  ///< of columns that are kept, as operands of what is larger
  bool keeps_all_ = true;
  double work_ = 0;
  std::size_t made_ = 0;
  double most_work_ = 0;
  const Task* task_ = nullptr;
  const Tried* tried_ = nullptr;
  bool enough_ = false;
  Terms names_;
  std::vector<Terms> numbers_;     ///< by size
  std::vector<Terms> conditions_;  ///< likewise
  std::array<FlatIndex, 2> seen_;  ///< hashes of numbers, of conditions
  FlatIndex seen_orders_;
};

}  // namespace cuvier
