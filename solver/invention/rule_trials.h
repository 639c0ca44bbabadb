#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/rng.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// What a rule of an axis sees: a number for each of FormulaInfo::names.
using RuleInputs = std::vector<int>;

/// What a rule was asked for, and what it said.
struct DecidedCase {
  RuleInputs inputs;
  int value = 0;
};

/// A rule of an axis (FormulaInfo::gives), as a number: of the input of that number among
/// RuleTrials::inputs().
using Rule = std::function<int(int input)>;

/// What a formula says as a rule, which is no tuple of an order.
int value_of(const FormulaInfo& info, const Formula& formula, const RuleInputs& inputs);

/// The same of any formula. What a tuple of an order comes to is a number: of all inputs that were
/// asked for, these are in the order of the tuples.
class FormulaRule {
 public:
  /// `info` must outlive it.
  FormulaRule(const FormulaInfo& info, Formula formula)
      : info_(info), formula_(std::move(formula)) {}

  /// Throws Error where there is no number left between two.
  int operator()(const RuleInputs& inputs) const;
  const Formula& formula() const { return formula_; }

 private:
  const FormulaInfo& info_;
  Formula formula_;
  mutable std::map<std::vector<int>, int> places_;  ///< by tuple
};

/// Tries rules of one axis on recordings, where the rest of the mechanism is known. What a session
/// comes to depends on a rule only by what it says of the inputs that it is asked for, one after
/// the other: a tree of what was answered so far knows without another prediction what becomes of
/// rules that answer alike.
class RuleTrials {
 public:
  /// The axis takes formulas, and `others` says the rest. `names`: what rules may read of its
  /// names, a bit each; inputs have 0 for the others. All must outlive it.
  RuleTrials(const Device& device, const std::vector<Session>& sessions, const Hypothesis& others,
             int axis, std::uint32_t names);

  /// Whether the session comes out as recorded by the rule.
  bool explains(int session, const Rule& rule);
  /// Whether all do, but for these.
  bool explains_all(const Rule& rule, const std::vector<int>& but_for = {}) {
    return !refuting(rule, but_for);
  }
  /// A session that does not, but for these: what refuses most for what it costs is tried first.
  std::optional<int> refuting(const Rule& rule, const std::vector<int>& but_for = {});

  /// Whether a session cannot come out as recorded by any rule: it goes wrong before one is asked.
  bool is_hopeless(int session) const;

  /// Inputs that the rule is asked for in the session, one after the other, each once; up to where
  /// it goes wrong. What the rule comes to there is known.
  std::vector<int> asked(int session, const Rule& rule) const;
  /// The same with what it says; nothing where it does not explain the session.
  std::vector<DecidedCase> decided(int session, const Rule& rule);

  /// Asks for all that the rule would be asked for, also behind what goes wrong.
  void see_inputs(const Rule& rule);

  /// What it costs to predict a session, in blocks.
  double cost(int session) const { return cost_[session]; }
  int sessions() const { return static_cast<int>(trees_.size()); }
  /// All that any rule was asked for so far; never fewer than before.
  const std::vector<RuleInputs>& inputs() const { return inputs_; }
  /// How many blocks were predicted: what it cost.
  double blocks() const { return blocks_; }

 private:
  enum class End { open, right, wrong };
  struct Answer {
    int value;
    int next;  ///< node
  };
  struct Node {
    int input = -1;  ///< that is asked for here
    End end = End::open;
    std::vector<Answer> answers = {};
  };
  using Tree = std::vector<Node>;

  struct HashOfInputs {
    std::size_t operator()(const RuleInputs& inputs) const;
  };

  int number_of(std::span<const int> names);
  int value_of(const Rule& rule, int input) const;
  static int next(const Node& node, int value);
  bool predict(int session, const Rule& rule);

  const Device& device_;
  const std::vector<Session>& sessions_;
  const Hypothesis& others_;
  int axis_;
  std::uint32_t names_;
  bool is_fleeting_;          ///< what some of them are
  std::vector<Tree> trees_;   ///< by session
  std::vector<int> order_;    ///< in which sessions are tried
  std::vector<double> cost_;  ///< by session
  std::vector<double> gain_;  ///< of a session: rules that it refused, for a block
  std::vector<RuleInputs> inputs_;
  std::unordered_map<RuleInputs, int, HashOfInputs> numbers_;
  RuleInputs asked_;  ///< latest; kept for its memory
  double blocks_ = 0;
};

/// Numbers of inputs by which formulas are told apart: all where these are few; else such that
/// each value of each name is there, as far as that goes. Names of few values come first: the
/// values of others are met anyway.
std::vector<int> telling_inputs(const std::vector<RuleInputs>& inputs, Rng& rng);

}  // namespace cuvier
