#include "solver/invention/placement_rules.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "hypotheses/axes.h"
#include "hypotheses/scheduler/topology.h"
#include "solver/invention/conditions.h"
#include "solver/invention/explains.h"
#include "solver/invention/key_table.h"
#include "solver/invention/lists.h"
#include "solver/invention/on_trial.h"
#include "solver/invention/placements.h"
#include "solver/invention/refusals.h"

namespace cuvier {
namespace {

// Sessions that rules are learned from at first: that go wrong under the mechanism, and others.
constexpr std::size_t kMostWrong = 40;
constexpr std::size_t kMostRight = 10;
constexpr std::size_t kMostPlacements = 400;  ///< that rules are learned from, at first
constexpr std::size_t kOfASession = 150;      ///< likewise, of one that refutes a rule
constexpr std::size_t kMostTurns = 1'000;     ///< of kernels
constexpr std::size_t kMostAtLast = 2'000;    ///< where that was not enough, of all of these
constexpr int kMostRounds = 6;
// Of rules that read marks: each rule of marks is tried on all placements.
constexpr std::size_t kMostWrongWithMarks = 8;
constexpr std::size_t kMostRightWithMarks = 2;
constexpr std::size_t kMostOfARule = 3;
constexpr std::size_t kMarksAtOnce = 16;
// Where no rule explains all: sessions that are begun with, and rules that are tried each time.
constexpr std::size_t kMostStarts = 8;
constexpr std::size_t kMostOfSome = 6;
constexpr double kLeastShare = 0.1;            ///< of sessions that go wrong
constexpr std::size_t kOfASessionOfSome = 40;  ///< placements

/// What the mechanism chooses by.
std::string own_of(int axis, const Hypothesis& mechanism) {
  return std::string(axis_value(axis, mechanism.values[axis]).formula);
}

/// Rules of one axis, from tables of placements that grow by the sessions that refute rules.
class PlacementLearner {
 public:
  PlacementLearner(const Device& device, const std::vector<Session>& sessions,
                   const Hypothesis& mechanism, int axis, Learn learn, const Task& task)
      : device_(device),
        sessions_(sessions),
        mechanism_(mechanism),
        axis_(axis),
        learn_(learn),
        info_(*axis_info(axis).formula),
        task_(task),
        given_(given_names(device, info_)),
        own_(own_of(axis == index_of<Priority>() ? axis : index_of<Selection>(), mechanism)),
        refusals_(given_) {}

  std::vector<Proposal> rules(std::size_t most) {
    if (own_.empty()) return {};
    if (axis_ == index_of<Priority>()) {
      begin(sessions_.size(), sessions_.size(), kMostTurns);  // there are few in each
    } else {
      begin(kMostWrong, kMostRight);
    }
    std::vector<Proposal> found;
    std::set<std::string> tried;
    std::set<int> refuted_last;  // sessions, of the last that were new
    for (int round = 0; round < kMostRounds && found.empty(); ++round) {
      task_.doing(fmt::format("inventing {}: from {} placements", axis_info(axis_).name,
                              placements_.size()));
      left_ = formulas_of_axis();
      std::set<int> refuting;
      for (const std::string& text : left_) {
        if (!tried.insert(text).second) continue;
        task_.still();
        if (found.size() == most) break;
        Proposal proposal = proposed(text, mechanism_);
        if (const auto session = refuted_by(proposal)) {
          refuting.insert(*session);
        } else {
          add(std::move(proposal), found);
        }
      }
      if (!refuting.empty()) {
        for (const int session : refuting) add(session, kOfASession);
        refuted_last = std::move(refuting);
      } else if (!left_.empty() && !refuted_last.empty()) {
        // What refutes these was not among so many placements of its session.
        for (const int session : refuted_last) add(session, kMostAtLast / refuted_last.size());
        refuted_last.clear();
      } else {
        break;
      }
    }
    return found;
  }

  /// Of the rules that were refuted, and that choose as was seen in all of the table: the one that
  /// explains most sessions. Some rule of many explains one or two by chance.
  std::optional<Proposal> best_refuted() const {
    auto best = best_of(left_);
    if (best && best->explained - right_in_all() < kLeastShare * wrong_) best.reset();
    return best;
  }

  std::vector<Proposal> rules_with_marks(std::size_t most) {
    const bool is_room = axis_size(index_of<Mark>()) + static_cast<int>(most) <= kMostValues;
    if (own_.empty() || mechanism_.get<Mark>() != Mark::none || !is_room) return {};
    begin(kMostWrongWithMarks, kMostRightWithMarks);
    std::vector<Formula> marks = rules_of_marks(placements_);
    std::vector<Proposal> found;
    for (int round = 0; round < kMostRounds && found.empty() && !marks.empty(); ++round) {
      task_.doing(fmt::format("inventing {} beside mark: {} rules, {} placements",
                              axis_info(axis_).name, marks.size(), placements_.size()));
      std::set<int> refuting;
      std::vector<Formula> left;
      tbb::enumerable_thread_specific<std::vector<Placement>> tables(placements_);
      for (std::size_t first = 0; first < marks.size() && found.size() < most;
           first += kMarksAtOnce) {
        std::vector<Beside> beside(std::min(kMarksAtOnce, marks.size() - first));
        tbb::parallel_for(std::size_t{0}, beside.size(), [&](std::size_t i) {
          task_.still();
          beside[i] = tried_beside(marks[first + i], tables.local());
        });
        for (std::size_t i = 0; i < beside.size(); ++i) {
          if (beside[i].unrefuted && found.size() < most) {
            add(marks[first + i], *beside[i].unrefuted, found);
          }
          if (beside[i].refuting) refuting.insert(*beside[i].refuting);
          if (beside[i].is_possible) left.push_back(std::move(marks[first + i]));
        }
      }
      marks = std::move(left);
      for (const int session : refuting) add(session, kOfASession);
    }
    return found;
  }

  /// One that explains most sessions, of some of each sort.
  std::optional<Proposal> best_of_some() {
    if (own_.empty()) return std::nullopt;
    std::tie(order_, wrong_) = wrong_first(device_, mechanism_, sessions_);
    const std::vector<int> wrong =
        spread(std::vector<int>(order_.begin(), order_.begin() + wrong_), kMostWrong);
    const std::vector<int> right =
        spread(std::vector<int>(order_.begin() + wrong_, order_.end()), kMostRight);
    return axis_ == index_of<Selection>() ? best_selection(right, wrong)
                                          : best_admission(right, wrong);
  }

 private:
  std::optional<Proposal> best_selection(const std::vector<int>& right,
                                         const std::vector<int>& wrong) {
    task_.doing(fmt::format("inventing {}: from {} sessions", axis_info(axis_).name,
                            right.size() + wrong.size()));
    for (const auto& sessions : {right, wrong}) {
      for (const int session : sessions) add(session, kOfASessionOfSome);
    }
    return best_of(keys_that_choose_in_most({info_, placements_, given_}));
  }

  /// The table begins with one that goes wrong, and grows by those beside which some rule is left:
  /// of others something else is the reason.
  std::optional<Proposal> best_admission(const std::vector<int>& right,
                                         const std::vector<int>& wrong) {
    std::optional<Proposal> best;
    for (std::size_t start = 0; start < std::min(wrong.size(), kMostStarts); ++start) {
      placements_.clear();
      for (const int session : right) add(session, kOfASession);
      std::vector<int> kept = right;
      std::optional<Proposal> rule;
      for (std::size_t i = 0; i < wrong.size(); ++i) {
        const int session = wrong[(start * wrong.size() / kMostStarts + i) % wrong.size()];
        task_.doing(
            fmt::format("inventing {}: from {} sessions", axis_info(axis_).name, kept.size()));
        if (rule && explained_by(*rule, {session}) == 1) continue;
        const std::size_t before = placements_.size();
        add(session, kOfASession);
        kept.push_back(session);
        if (const auto other = rule_for(kept)) {
          rule = other;
        } else {
          placements_.resize(before);
          kept.pop_back();
        }
        if (!rule) break;  // not even for the first
      }
      if (rule) take_if_better(*rule, best);
    }
    return best;
  }

  /// Of the first of these, the one that explains most sessions, and more than the mechanism.
  std::optional<Proposal> best_of(const std::vector<std::string>& formulas) const {
    std::optional<Proposal> best;
    for (std::size_t i = 0; i < std::min(formulas.size(), kMostOfSome); ++i) {
      task_.still();
      take_if_better(proposed(formulas[i], mechanism_), best);
    }
    return best;
  }

  void take_if_better(Proposal rule, std::optional<Proposal>& best) const {
    rule.explained = explained_by(rule, order_);
    if (rule.explained <= (best ? best->explained : right_in_all())) return;
    rule.decided = decided_by(rule);
    best = std::move(rule);
  }

  int right_in_all() const { return static_cast<int>(sessions_.size() - wrong_); }

  /// How many of these sessions.
  int explained_by(const Proposal& proposal, const std::vector<int>& sessions) const {
    const OnTrial trial(proposal);
    return static_cast<int>(std::ranges::count_if(sessions, [&](int session) {
      return explains(Simulator(device_, trial.mechanism()), sessions_[session]);
    }));
  }

  /// Learned from the table as it is, and explains all of these.
  std::optional<Proposal> rule_for(const std::vector<int>& sessions) const {
    std::vector<std::string> formulas = formulas_of_axis();
    if (formulas.size() > kMostOfSome) formulas.resize(kMostOfSome);
    for (const std::string& text : formulas) {
      task_.still();
      const Proposal rule = proposed(text, mechanism_);
      if (explained_by(rule, sessions) == std::ssize(sessions)) return rule;
    }
    return std::nullopt;
  }

  std::vector<std::string> formulas_of_axis() const {
    if (axis_ == index_of<Priority>()) return orders_of_kernels(placements_, given_, own_);
    if (axis_ == index_of<Admission>()) {
      return learn_ == Learn::two_parts
                 ? refusals_.of_two_names(placements_, own_)
                 : refusals_.in(placements_, own_, learn_ == Learn::in_cases ? 3 : 1);
    }
    const KeyTable table(info_, placements_, given_);
    if (learn_ == Learn::one_rule) return keys_that_choose(table);
    if (learn_ == Learn::in_cases) {
      return joined(std::vector{keys_in_two_cases(table, own_), keys_by_case(table)});
    }
    return joined(std::vector{sms_that_come_first(placements_, given_, own_),
                              any_keys_that_choose(table),
                              own_and_a_condition(info_, placements_, given_, own_)});
  }

  /// What becomes of rules of the axis beside a rule of marks.
  struct Beside {
    bool is_possible = false;              ///< by the table
    std::optional<std::string> unrefuted;  ///< it explains everything
    std::optional<int> refuting;           ///< a session: the first, where none does
  };

  /// `placements`: a table that gets the marks of that rule.
  Beside tried_beside(const Formula& rule, std::vector<Placement>& placements) const {
    mark(placements, rule, device_.sms);
    std::vector<std::string> formulas =
        axis_ == index_of<Selection>()
            ? keys_that_read(NameOf<Selection>("mark"), {info_, placements, given_, KeysOf::names})
            : refusals_.beside(rule, placements, own_);
    if (formulas.size() > kMostOfARule) formulas.resize(kMostOfARule);
    Beside beside{!formulas.empty(), {}, {}};
    const TrialValue trial(index_of<Mark>(), rule);
    for (const std::string& text : formulas) {
      const auto session =
          refuted_by(proposed(text, mechanism_.with(index_of<Mark>(), trial.value())));
      if (!session) return {true, text, {}};
      if (!beside.refuting) beside.refuting = session;
    }
    return beside;
  }

  /// The cheapest sessions that go wrong, and some that do not.
  void begin(std::size_t most_wrong, std::size_t most_right, std::size_t most = kMostPlacements) {
    std::tie(order_, wrong_) = wrong_first(device_, mechanism_, sessions_);
    for (std::size_t i = 0; i < std::min(wrong_, most_wrong); ++i) {
      task_.still();
      add(order_[i], kMostPlacements);
    }
    for (std::size_t i = wrong_; i < std::min(order_.size(), wrong_ + most_right); ++i) {
      add(order_[i], kOfASession);
    }
    placements_ = spread(std::move(placements_), most);
  }

  void add(int session, std::size_t most) {
    auto placements = axis_ == index_of<Priority>()
                          ? turns_of(device_, mechanism_, sessions_[session])
                          : placements_of(device_, mechanism_, sessions_[session]);
    if (axis_ != index_of<Admission>()) std::erase_if(placements, &Placement::of_cluster);
    std::ranges::move(spread(std::move(placements), most), std::back_inserter(placements_));
  }

  /// A session that refutes it, if there is one.
  std::optional<int> refuted_by(const Proposal& proposal) const {
    const OnTrial trial(proposal);
    const auto refuting = std::ranges::find_if(order_, [&](int session) {
      return !explains(Simulator(device_, trial.mechanism()), sessions_[session]);
    });
    return refuting == order_.end() ? std::nullopt : std::optional(*refuting);
  }

  void add(const Formula& mark, const std::string& text, std::vector<Proposal>& found) const {
    Proposal proposal = proposed(
        text, mechanism_.with(index_of<Mark>(), formula_value(index_of<Mark>(), mark.text)));
    proposal.size += static_cast<int>(mark.nodes.size());
    add(std::move(proposal), found);
  }

  Proposal proposed(const std::string& text, const Hypothesis& mechanism) const {
    const Formula formula = parse_formula(info_, text);
    const int all = static_cast<int>(sessions_.size());
    const int size = static_cast<int>(formula.nodes.size());
    return {axis_, formula.text, size, mechanism, {}, all, all};
  }

  void add(Proposal proposal, std::vector<Proposal>& found) const {
    proposal.decided = decided_by(proposal);
    found.push_back(std::move(proposal));
  }

  /// In the largest session; none where an order is asked of more than can be numbered one by one.
  std::vector<DecidedCase> decided_by(const Proposal& proposal) const {
    const Formula formula = parse_formula(info_, proposal.formula);
    const std::vector<Session> largest{*std::ranges::max_element(sessions_, {}, cost_of)};
    RuleTrials trials(device_, largest, proposal.hypothesis, axis_, formula.names);
    const FormulaRule rule(info_, formula);
    return trials.decided(0, [&](int input) { return rule(trials.inputs()[input]); });
  }

  const Device& device_;
  const std::vector<Session>& sessions_;
  const Hypothesis& mechanism_;
  const int axis_;
  const Learn learn_;
  const FormulaInfo& info_;
  const Task& task_;
  const std::uint32_t given_;  ///< names
  const std::string own_;      ///< the mechanism's key of SMs or kernels; empty: it is no formula
  const Refusals refusals_;
  std::vector<int> order_;  ///< of sessions, those first that go wrong under the mechanism
  std::size_t wrong_ = 0;   ///< how many do
  std::vector<Placement> placements_;
  std::vector<std::string> left_;  ///< formulas: of the last table
};

}  // namespace

bool is_learned_of_placements(int axis, const Hypothesis& mechanism) {
  return mechanism.get<Hierarchy>() == Hierarchy::flat &&
         (axis == index_of<Selection>() || axis == index_of<Admission>());
}

RulesOfPlacements rules_of_placements(const Device& device, const std::vector<Session>& sessions,
                                      const Hypothesis& mechanism, int axis, Learn learn,
                                      int most_found, const Task& task) {
  if (learn != Learn::one_rule && axis == index_of<Priority>()) return {};
  PlacementLearner learner(device, sessions, mechanism, axis, learn, task);
  if (learn == Learn::most) return {{}, learner.best_of_some()};
  if (learn == Learn::with_marks) return {learner.rules_with_marks(most_found), std::nullopt};
  RulesOfPlacements rules{learner.rules(most_found), std::nullopt};
  if (rules.found.empty() && learn == Learn::one_rule) rules.best = learner.best_refuted();
  return rules;
}

}  // namespace cuvier
