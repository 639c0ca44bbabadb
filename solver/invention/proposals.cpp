#include "solver/invention/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/neighbours.h"
#include "hypotheses/readings/choices.h"
#include "probes/error.h"
#include "solver/invention/formula_search.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {
namespace {

/// Sets of values are bits of 32, and one is needed for what is on trial.
constexpr int kMostValues = 31;

/// Of so many inputs it is compared what formulas say.
constexpr std::size_t kMostInputs = 160;

/// A formula as a rule: as far as the search knows what it comes to, by that.
class TriedFormula {
 public:
  /// `info` and `inputs` must outlive it.
  TriedFormula(const FormulaInfo& info, FormulaSearch::Found found,
               const std::vector<RuleInputs>& inputs)
      : info_(info), found_(std::move(found)), inputs_(inputs) {}

  Rule rule() const {
    return [this](int input) { return value(input); };
  }

  /// As formulas are written. Throws Error where numbers could go out of range, as value() may.
  std::string text() const { return formula().text; }

  int value(int input) const {
    // A key is no place: others may come between.
    const bool is_known =
        input < std::ssize(found_.column) && info_.gives != FormulaInfo::Gives::key;
    if (is_known) return found_.column[input];
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
  mutable std::optional<Formula> formula_;
};

/// The search for a formula of one axis, under one mechanism.
class AxisSearch {
 public:
  AxisSearch(const Device& device, const std::vector<Session>& sessions,
             const Hypothesis& mechanism, int axis, const Assumptions& assumptions)
      : mechanism_(mechanism),
        axis_(axis),
        info_(*axis_info(axis).formula),
        trials_(device, sessions, mechanism_, axis) {
    for (int value = 0; value < axis_size(axis); ++value) {
      const std::string formula(axis_value(axis, value).formula);
      if (assumptions.allows(axis, value) && !formula.empty()) known_.push_back(formula);
    }
    // Those that it explains anyway ask for more.
    explained_ = trials_.explained(some_rule());
  }

  bool is_hopeless() const {
    for (int session = 0; session < trials_.sessions(); ++session) {
      if (trials_.is_hopeless(session)) return true;
    }
    return trials_.inputs().empty();
  }

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

  int size() const { return search_ ? search_->size() : 0; }
  int axis() const { return axis_; }
  int formulas() const { return formulas_; }
  int predictions() const { return trials_.predictions(); }
  int explained() const { return explained_; }  ///< sessions, by what the mechanism has

 private:
  void each_of_next_size(const ProposalLimits& limits, const Task& task, const auto& tried) {
    if (!search_) begin();
    for (const FormulaSearch::Found& found : search_->next_size()) {
      if (trials_.predictions() > limits.most_predictions) break;
      if (++formulas_ % 1'000 == 1) {
        task.doing(fmt::format("inventing {}: {} formulas up to size {}", axis_info(axis_).name,
                               formulas_, size()));
      }
      const TriedFormula formula(info_, found, trials_.inputs());
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
    const auto formula =
        std::make_shared<TriedFormula>(info_, FormulaSearch::Found{text, {}}, trials_.inputs());
    return [formula](int input) { return formula->value(input); };
  }

  void begin() {
    std::vector<RuleInputs> inputs = trials_.inputs();
    if (info_.gives != FormulaInfo::Gives::order && inputs.size() > kMostInputs) {
      inputs.resize(kMostInputs);
    }
    search_ = std::make_unique<FormulaSearch>(info_, known_, std::move(inputs));
  }

  const Hypothesis mechanism_;
  int axis_;
  const FormulaInfo& info_;
  RuleTrials trials_;
  std::vector<std::string> known_;
  std::unique_ptr<FormulaSearch> search_;
  int explained_ = 0;
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
    if (proposals_.found.empty()) {
      for (const Hypothesis& changed : changes_of(mechanisms.front())) {
        search(searches_of({changed}), kLargestBeside);
        if (!proposals_.found.empty()) break;
      }
    }
    if (proposals_.found.empty()) search_best(searches);
    for (const auto& search : searches) note(*search);
    return std::move(proposals_);
  }

 private:
  using Searches = std::vector<std::unique_ptr<AxisSearch>>;
  static constexpr int kLargestBeside = 5;  ///< where something else differs, too
  static constexpr int kLargestInPart = 5;  ///< where not everything is explained

  Searches searches_of(const std::vector<Hypothesis>& mechanisms) {
    Searches searches;
    for (const Hypothesis& mechanism : mechanisms) {
      for (int axis = 0; axis < kAxes; ++axis) {
        if (!axis_info(axis).formula || axis_size(axis) >= kMostValues ||
            !matters(axis, mechanism)) {
          continue;
        }
        task_.doing(fmt::format("inventing: what {} decides", axis_info(axis).name));
        auto search =
            std::make_unique<AxisSearch>(device_, sessions_, mechanism, axis, assumptions_);
        if (!search->is_hopeless()) searches.push_back(std::move(search));
      }
    }
    return searches;
  }

  /// Ends with the size in which something is found.
  void search(const Searches& searches, int largest) {
    for (int size = 1; size <= largest && proposals_.found.empty(); ++size) {
      for (const auto& search : searches) {
        std::ranges::move(search->next_size(limits_, task_), std::back_inserter(proposals_.found));
      }
    }
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
    proposals_.predictions += search.predictions();
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
