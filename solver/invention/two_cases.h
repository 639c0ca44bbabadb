#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hypotheses/formulas/formula.h"
#include "solver/cancellation/task.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {

/// Of two rules the one for some kinds of blocks, the other for all others: which kinds take which
/// is found from the sessions, and a condition is learned from that. So rules and conditions are
/// not tried with each other, but one after the other (divide and conquer: Alur, Radhakrishna and
/// Udupa, TACAS 2017).
class TwoCases {
 public:
  /// `trials` must outlive it.
  TwoCases(RuleTrials& trials, const FormulaInfo& info);

  /// Whether the rule reads what is the same for all blocks of a kernel.
  bool has_kinds() const { return !names_.empty(); }

  /// The smallest conditions under which `other` holds, and otherwise `usual`, so that all sessions
  /// are explained. `wrong`: those that `usual` does not explain, the cheapest first. Gives up once
  /// the trials cost `most_blocks`. Throws Stopped.
  std::vector<std::string> conditions(const Rule& usual, const Rule& other,
                                      const std::vector<int>& wrong, double most_blocks,
                                      const Task& task);

 private:
  using Kind = std::vector<int>;  ///< what a block asks for, by names_
  using Kinds = std::set<Kind>;
  using Says = std::map<Kind, bool>;  ///< whether the other rule is for the kind
  /// What can be said of the kinds of a session so that it is explained.
  struct Ways {
    std::vector<Says> explaining;  ///< those in which fewest kinds have the other rule first
    bool all = true;               ///< no others
  };
  /// What was learned of kinds.
  struct Known {
    Kinds other;
    Kinds usual;
    bool contradicts_itself() const;
    bool add(const Known& more);  ///< whether anything was new
  };
  /// A part of a condition.
  struct Atom {
    std::string text;
    std::string negation;
    std::set<int> excluded;  ///< kinds, numbered as they are in a set
  };

  Kind kind_of(int input) const;
  Rule rule_of(const Says& says, const Rule& usual, const Rule& other) const;
  Ways ways(int session, const Rule& usual, const Rule& other);
  Known known_by(int session, const Ways& ways, const Rule& usual, const Rule& other);
  std::vector<std::string> learned(const Known& known) const;
  std::vector<std::string> around(const Kinds& in, const Kinds& out, bool negated) const;
  std::vector<Atom> atoms(const Kinds& in, const Kinds& out) const;
  std::vector<std::string> refine(Known known, const Rule& usual, const Rule& other,
                                  double most_blocks, const Task& task);

  RuleTrials& trials_;
  const FormulaInfo& info_;
  std::vector<int> names_;  ///< of FormulaInfo::names, those of what a block asks for
};

}  // namespace cuvier
