#include "solver/invention/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/neighbours.h"
#include "hypotheses/readings/choices.h"
#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "solver/invention/formula_search.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {
namespace {

/// Sets of values are bits of 32, and one is needed for what is on trial.
constexpr int kMostValues = 31;

/// Values of formulas that are worked out while a block is predicted.
constexpr double kValues = 1'000;

/// Of so many inputs it is compared what formulas say.
constexpr std::size_t kFewInputs = 256;
constexpr std::size_t kMostInputs = 1'000;

/// Numbers of inputs by which formulas are told apart: all where these are few; else such that
/// each value of each name is there, as far as that goes.
std::vector<int> telling(const std::vector<RuleInputs>& inputs, Rng& rng) {
  std::vector<int> numbers(inputs.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  if (inputs.size() <= kFewInputs) return numbers;
  std::ranges::shuffle(numbers, rng);
  std::set<std::pair<std::size_t, int>> covered;
  const auto tells = std::ranges::stable_partition(numbers, [&](int number) {
    bool is_new = false;
    for (std::size_t name = 0; name < inputs[number].size(); ++name) {
      is_new |= covered.insert({name, inputs[number][name]}).second;
    }
    return is_new;
  });
  const auto count = static_cast<std::size_t>(tells.begin() - numbers.begin());
  numbers.resize(std::min(std::max(count, kFewInputs), kMostInputs));
  return numbers;
}

/// A formula as a rule: as far as the search knows what it comes to, by that.
class TriedFormula {
 public:
  /// `columns`: by input its place in what was found; -1 where it has none. All but that must
  /// outlive it.
  TriedFormula(const FormulaInfo& info, FormulaSearch::Found found,
               const std::vector<RuleInputs>& inputs, const std::vector<int>& columns)
      : info_(info), found_(std::move(found)), inputs_(inputs), columns_(columns) {}

  Rule rule() const {
    return [this](int input) { return value(input); };
  }

  /// As formulas are written. Throws Error where numbers could go out of range, as value() may.
  std::string text() const { return formula().text; }

  int value(int input) const {
    // A key is no place: others may come between.
    const bool is_known = input < std::ssize(columns_) && columns_[input] >= 0;
    if (is_known && info_.gives != FormulaInfo::Gives::key) return found_.column[columns_[input]];
    const Evaluation<int, bool> value(formula(), inputs_[input]);
    switch (info_.gives) {
      case FormulaInfo::Gives::condition:
        return value.condition() ? 1 : 0;
      case FormulaInfo::Gives::number:
        return value.number();
      case FormulaInfo::Gives::key:
      case FormulaInfo::Gives::order:
        break;
    }
    return value.key();
  }

 private:
  const Formula& formula() const {
    if (!formula_) formula_ = parse_formula(info_, found_.text);
    return *formula_;
  }

  const FormulaInfo& info_;
  FormulaSearch::Found found_;
  const std::vector<RuleInputs>& inputs_;
  const std::vector<int>& columns_;
  mutable std::optional<Formula> formula_;
};

/// Whether two mechanisms are one, whatever they have of this axis.
bool alike_but_for(int axis, const Hypothesis& a, Hypothesis b) {
  b.values[axis] = a.values[axis];
  if (axis == index_of<TieBreak>()) b.order = a.order;
  return a == b;
}

/// The search for a formula of one axis, under one mechanism.
class AxisSearch {
 public:
  /// `wrong`: the sessions that the mechanism does not explain.
  AxisSearch(const Device& device, const std::vector<Session>& sessions,
             const Hypothesis& mechanism, const std::vector<int>& wrong, int axis,
             const Assumptions& assumptions)
      : mechanism_(mechanism),
        axis_(axis),
        info_(*axis_info(axis).formula),
        trials_(device, sessions, mechanism_, axis),
        explained_(trials_.sessions() - static_cast<int>(wrong.size())) {
    for (int value = 0; value < axis_size(axis); ++value) {
      const std::string formula(axis_value(axis, value).formula);
      if (assumptions.allows(axis, value) && !formula.empty()) known_.push_back(formula);
    }
    const Rule rule = some_rule();
    is_hopeless_ = std::ranges::any_of(wrong, [&](int session) {
      trials_.explains(session, rule);
      return trials_.is_hopeless(session);
    });
  }

  /// Whether a session goes wrong whatever the rule is.
  bool is_hopeless() const { return is_hopeless_; }

  /// Of the formulas of the next size, those that explain everything.
  std::vector<Proposal> next_size(const ProposalLimits& limits, const Task& task) {
    std::vector<Proposal> found;
    each_of_next_size(limits, task, [&](const TriedFormula& formula) {
      if (!trials_.explains_all(formula.rule())) return true;
      found.push_back(proposal(formula, trials_.sessions()));
      return std::ssize(found) < limits.most_found;
    });
    return found;
  }

  /// The one that explains most sessions, and more than `beaten`; from the smallest on.
  std::optional<Proposal> best(int largest, int beaten, const ProposalLimits& limits,
                               const Task& task) {
    std::optional<Proposal> best;
    for (search_.reset(); size() < largest;) {
      each_of_next_size(limits, task, [&](const TriedFormula& formula) {
        const int explained = trials_.explained(formula.rule(), best ? best->explained : beaten);
        if (explained >= 0) best = proposal(formula, explained);
        return true;
      });
    }
    return best;
  }

  bool is_of(int axis, const Hypothesis& mechanism) const {
    return axis == axis_ && alike_but_for(axis, mechanism, mechanism_);
  }
  int size() const { return search_ ? search_->size() : 0; }
  int axis() const { return axis_; }
  int formulas() const { return formulas_; }
  double work() const { return trials_.blocks() + (search_ ? search_->work() / kValues : 0); }
  int explained() const { return explained_; }  ///< sessions, by what the mechanism has

 private:
  void each_of_next_size(const ProposalLimits& limits, const Task& task, const auto& tried) {
    if (!search_) begin();
    for (const FormulaSearch::Found& found : search_->next_size(task, kValues * limits.most_work)) {
      if (work() > limits.most_work) break;
      if (++formulas_ % 1'000 == 1) {
        task.doing(fmt::format("inventing {}: {} formulas up to size {}", axis_info(axis_).name,
                               formulas_, size()));
      }
      const TriedFormula formula(info_, found, trials_.inputs(), columns_);
      try {
        if (!tried(formula)) break;
      } catch (const Error&) {  // it could leave the range of numbers
      }
    }
  }

  Proposal proposal(const TriedFormula& formula, int explained) {
    int decisions = 0;
    for (int session = 0; session < trials_.sessions(); ++session) {
      decisions = std::max(decisions, trials_.asked_for(session, formula.rule()));
    }
    return {axis_, formula.text(), size(), mechanism_, decisions, explained};
  }

  /// What the mechanism has, as far as that is a formula of numbers.
  Rule some_rule() {
    std::string text(axis_value(axis_, mechanism_.values[axis_]).formula);
    if (text.empty() && !known_.empty()) text = known_.front();
    if (text.empty()) text = info_.gives == FormulaInfo::Gives::condition ? "0 == 1" : "0";
    if (info_.gives == FormulaInfo::Gives::order) return [](int) { return 0; };
    const auto formula = std::make_shared<TriedFormula>(info_, FormulaSearch::Found{text, {}},
                                                        trials_.inputs(), no_columns_);
    return [formula](int input) { return formula->value(input); };
  }

  void begin() {
    trials_.explained(some_rule());  // which asks for what there is
    Rng rng(1);
    const std::vector<int> numbers = telling(trials_.inputs(), rng);
    columns_.assign(trials_.inputs().size(), -1);
    std::vector<RuleInputs> inputs;
    for (const int number : numbers) {
      columns_[number] = static_cast<int>(inputs.size());
      inputs.push_back(trials_.inputs()[number]);
    }
    search_ = std::make_unique<FormulaSearch>(info_, known_, std::move(inputs));
  }

  const Hypothesis mechanism_;
  int axis_;
  const FormulaInfo& info_;
  RuleTrials trials_;
  std::vector<std::string> known_;
  std::unique_ptr<FormulaSearch> search_;
  std::vector<int> columns_;  ///< of the search, by input
  const std::vector<int> no_columns_;
  int explained_;
  bool is_hopeless_ = false;
  int formulas_ = 0;
};

/// The search, under one mechanism after the other.
class Inventor {
 public:
  Inventor(const Device& device, const std::vector<Session>& sessions,
           const Assumptions& assumptions, const ProposalLimits& limits, const Task& task)
      : device_(device),
        sessions_(sessions),
        assumptions_(assumptions),
        limits_(limits),
        task_(task) {
    proposals_.sessions = static_cast<int>(sessions.size());
  }

  Proposals run(const std::vector<Hypothesis>& mechanisms) {
    const Searches searches = searches_of(mechanisms);
    search(searches, limits_.largest);
    if (proposals_.found.empty() && !limits_.only) search_beside(mechanisms.front());
    if (proposals_.found.empty()) search_best(searches);
    for (const auto& search : searches) note(*search);
    if (proposals_.found.empty() && proposals_.best) search_on_top(*proposals_.best);
    return std::move(proposals_);
  }

 private:
  using Searches = std::vector<std::unique_ptr<AxisSearch>>;
  static constexpr int kLargestBeside = 5;  ///< where something else differs, too
  static constexpr int kLargestInPart = 5;  ///< where not everything is explained

  /// The sessions that it does not explain; none where these are more.
  std::optional<std::vector<int>> wrong_sessions(const Hypothesis& mechanism, std::size_t most) {
    task_.doing("inventing: what else could differ");
    std::vector<int> wrong;
    for (int session = 0; session < std::ssize(sessions_); ++session) {
      Simulator simulator(device_, mechanism);
      const bool right = std::ranges::all_of(sessions_[session], [&](const Recording& recording) {
        const Observation predicted = simulator.replay(recording);
        return std::ranges::all_of(recording.facts, [&](const Fact& fact) {
          return agrees(fact, predicted, recording.probe);
        });
      });
      if (!right) wrong.push_back(session);
      if (wrong.size() > most) return std::nullopt;
    }
    return wrong;
  }

  Searches searches_of(const std::vector<Hypothesis>& mechanisms) {
    Searches searches;
    for (const Hypothesis& mechanism : mechanisms) {
      const std::vector<int> wrong = *wrong_sessions(mechanism, sessions_.size());
      for (int axis = 0; axis < kAxes; ++axis) {
        if (!axis_info(axis).formula || axis_size(axis) >= kMostValues ||
            (limits_.only && *limits_.only != axis) || !matters(axis, mechanism) ||
            std::ranges::any_of(searches,
                                [&](const auto& s) { return s->is_of(axis, mechanism); })) {
          continue;
        }
        task_.doing(fmt::format("inventing: what {} decides", axis_info(axis).name));
        auto search =
            std::make_unique<AxisSearch>(device_, sessions_, mechanism, wrong, axis, assumptions_);
        if (!search->is_hopeless()) searches.push_back(std::move(search));
      }
    }
    return searches;
  }

  /// What was worked on least goes on, until it has found something and the others had as much.
  void search(const Searches& searches, int largest) {
    double most_work = limits_.most_work;
    while (true) {
      AxisSearch* next = nullptr;
      for (const auto& search : searches) {
        const bool may_go_on = search->size() < largest && search->work() < most_work;
        if (may_go_on && (!next || search->work() < next->work())) next = search.get();
      }
      if (!next) return;
      auto found = next->next_size(limits_, task_);
      if (found.empty()) continue;
      most_work = std::min(most_work, next->work());
      std::ranges::move(found, std::back_inserter(proposals_.found));
    }
  }

  /// Where the mechanism is another in one axis more.
  void search_beside(const Hypothesis& mechanism) {
    const std::size_t wrong = wrong_sessions(mechanism, sessions_.size())->size();
    for (const Hypothesis& changed : changes_of(mechanism)) {
      if (!wrong_sessions(changed, 2 * wrong)) continue;
      search(searches_of({changed}), kLargestBeside);
      if (!proposals_.found.empty()) return;
    }
  }

  /// For a second rule, where a first explains something.
  void search_on_top(const Proposal& first) {
    Hypothesis mechanism = first.hypothesis;
    mechanism.values[first.axis] =
        static_cast<std::uint8_t>(formula_value(first.axis, first.formula));
    const Searches searches = searches_of({mechanism});
    search(searches, limits_.largest);
    for (const auto& search : searches) note(*search);
  }

  void search_best(const Searches& searches) {
    for (const auto& search : searches) {
      const int beaten =
          std::max(search->explained(), proposals_.best ? proposals_.best->explained : 0);
      auto best = search->best(kLargestInPart, beaten, limits_, task_);
      if (best) proposals_.best = std::move(best);
    }
  }

  void note(const AxisSearch& search) {
    int& tried = proposals_.tried[search.axis()];
    tried = std::max(tried, search.size());
    proposals_.formulas += search.formulas();
  }

  std::vector<Hypothesis> changes_of(const Hypothesis& mechanism) {
    std::vector<Hypothesis> changes;
    Rng none(0);  // for orders, which are not drawn here
    for (Hypothesis& changed : single_axis_changes(device_, mechanism, none)) {
      const auto axis = std::ranges::mismatch(changed.values, mechanism.values).in1;
      const auto index = static_cast<int>(axis - changed.values.begin());
      if (!assumptions_.allows(index, *axis) || leaves_open(changed) ||
          changed.get<TieBreak>() == TieBreak::learned) {
        continue;
      }
      changes.push_back(canonical(std::move(changed)));
    }
    return changes;
  }

  const Device& device_;
  const std::vector<Session>& sessions_;
  const Assumptions& assumptions_;
  const ProposalLimits& limits_;
  const Task& task_;
  Proposals proposals_;
};

}  // namespace

Proposals propose(const Device& device, const std::vector<Session>& sessions,
                  const std::vector<Hypothesis>& mechanisms, const Assumptions& assumptions,
                  const ProposalLimits& limits, const Task& task) {
  return Inventor(device, sessions, assumptions, limits, task).run(mechanisms);
}

}  // namespace cuvier
