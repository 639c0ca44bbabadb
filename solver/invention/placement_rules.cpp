#include "solver/invention/placement_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "hypotheses/axes.h"
#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/scheduler/topology.h"
#include "solver/invention/conditions.h"
#include "solver/invention/explains.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/on_trial.h"
#include "solver/invention/placements.h"

namespace cuvier {
namespace {

// Sessions that rules are learned from at first: that go wrong under the mechanism, and others.
constexpr std::size_t kMostWrong = 40;
constexpr std::size_t kMostRight = 10;
constexpr std::size_t kMostPlacements = 400;  ///< that rules are learned from, at first
constexpr std::size_t kOfASession = 150;      ///< likewise, of one that refutes a rule
constexpr std::size_t kMostKinds = 1'500;     ///< of what SMs held when they took or refused
constexpr int kMostRounds = 6;
// Of rules that read marks: each rule of marks is tried on all placements.
constexpr std::size_t kMostWrongWithMarks = 8;
constexpr std::size_t kMostRightWithMarks = 2;
constexpr std::size_t kMostOfARule = 3;
// Where no rule explains all: sessions that are begun with, and rules that are tried each time.
constexpr std::size_t kMostStarts = 8;
constexpr std::size_t kMostOfSome = 6;

/// So many of them, spread over all.
template <class T>
std::vector<T> spread(std::vector<T> all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(std::move(all[i * all.size() / most]));
  return some;
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
        turns_(turns_by({"joined", "placed"})),
        turns_of_marks_(turns_by({"mark"})) {}

  std::vector<Proposal> rules(std::size_t most) {
    const std::string own(axis_value(index_of<Selection>(), selection()).formula);
    if (own.empty()) return {};
    begin(kMostWrong, kMostRight);
    std::vector<Proposal> found;
    std::set<std::string> tried;
    for (int round = 0; round < kMostRounds && found.empty(); ++round) {
      task_.doing(fmt::format("inventing {}: from {} placements", axis_info(axis_).name,
                              placements_.size()));
      std::vector<std::string> formulas = formulas_of(own);
      std::erase_if(formulas, [&](const std::string& text) { return !tried.insert(text).second; });
      std::set<int> refuting;
      for (const std::string& text : formulas) {
        task_.still();
        if (found.size() == most) break;
        Proposal proposal = proposed(text, mechanism_);
        if (const auto session = refuted_by(proposal)) {
          refuting.insert(*session);
        } else {
          add(std::move(proposal), found);
        }
      }
      if (refuting.empty()) break;
      for (const int session : refuting) add(session, kOfASession);
    }
    return found;
  }

  std::vector<Proposal> rules_with_marks(std::size_t most) {
    const std::string own(axis_value(index_of<Selection>(), selection()).formula);
    const bool is_room = axis_size(index_of<Mark>()) + static_cast<int>(most) <= kMostValues;
    if (own.empty() || mechanism_.get<Mark>() != Mark::none || !is_room) return {};
    begin(kMostWrongWithMarks, kMostRightWithMarks);
    std::vector<Formula> marks = rules_of_marks(placements_);
    std::vector<Proposal> found;
    for (int round = 0; round < kMostRounds && found.empty() && !marks.empty(); ++round) {
      task_.doing(fmt::format("inventing {} beside mark: {} rules, {} placements",
                              axis_info(axis_).name, marks.size(), placements_.size()));
      std::set<int> refuting;
      std::vector<Formula> left;
      for (Formula& rule : marks) {
        task_.still();
        mark(placements_, rule, device_.sms);
        std::vector<std::string> formulas = formulas_with_marks(rule, own);
        if (formulas.empty()) continue;
        if (formulas.size() > kMostOfARule) formulas.resize(kMostOfARule);
        if (const auto session = refuted_beside(rule, formulas, found)) refuting.insert(*session);
        left.push_back(std::move(rule));
        if (found.size() >= most) break;
      }
      marks = std::move(left);
      for (const int session : refuting) add(session, kOfASession);
    }
    return found;
  }

  /// One that explains most sessions. The table begins with one that goes wrong, and grows by those
  /// beside which some rule is left: of others something else is the reason.
  std::optional<Proposal> best_of_some() {
    const std::string own(axis_value(index_of<Selection>(), selection()).formula);
    if (own.empty()) return std::nullopt;
    begin(kMostWrong, kMostRight);
    const std::vector<int> wrong =
        spread(std::vector<int>(order_.begin(), order_.begin() + wrong_), kMostWrong);
    const std::vector<int> right =
        spread(std::vector<int>(order_.begin() + wrong_, order_.end()), kMostRight);
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
        if (const auto other = rule_for(kept, own)) {
          rule = other;
        } else {
          placements_.resize(before);
          kept.pop_back();
        }
        if (!rule) break;  // not even for the first
      }
      if (!rule) continue;
      rule->explained = explained_by(*rule, order_);
      if (rule->explained > (best ? best->explained : right_in_all())) best = rule;
    }
    if (best) best->decided = decided_by(*best);
    return best;
  }

 private:
  int right_in_all() const { return static_cast<int>(sessions_.size() - wrong_); }

  /// How many of these sessions.
  int explained_by(const Proposal& proposal, const std::vector<int>& sessions) const {
    const OnTrial trial(proposal);
    return static_cast<int>(std::ranges::count_if(sessions, [&](int session) {
      return explains(Simulator(device_, trial.mechanism()), sessions_[session]);
    }));
  }

  /// Learned from the table as it is, and explains all of these.
  std::optional<Proposal> rule_for(const std::vector<int>& sessions, const std::string& own) const {
    std::vector<std::string> formulas = formulas_of(own);
    if (formulas.size() > kMostOfSome) formulas.resize(kMostOfSome);
    for (const std::string& text : formulas) {
      task_.still();
      const Proposal rule = proposed(text, mechanism_);
      if (explained_by(rule, sessions) == std::ssize(sessions)) return rule;
    }
    return std::nullopt;
  }

  std::vector<std::string> formulas_of(const std::string& own) const {
    if (axis_ == index_of<Admission>())
      return refusals(own, names_of_refusals(), learn_ == Learn::in_cases ? 3 : 1);
    return learn_ == Learn::in_cases ? keys_in_two_cases(placements_, given_, own)
                                     : keys_that_choose(placements_, given_);
  }

  /// The table has the marks of that rule.
  std::vector<std::string> formulas_with_marks(const Formula& rule, const std::string& own) const {
    if (axis_ == index_of<Selection>())
      return names_that_choose(placements_, given_, NameOf<Selection>("mark"));
    const auto name = [](NameOf<Admission> of) { return Admission::names[of]; };
    std::vector<FormulaName> names{name("mark")};
    const auto reads = [&](NameOf<Mark> of) { return rule.reads(of); };
    const bool remembers_blocks =
        reads("registers") || reads("bytes") || reads("priority") || reads("joined");
    if (!remembers_blocks) {
      add_turns(turns_of_marks_, names);
      return refusals(own, names, 1);
    }
    for (const FormulaName& each :
         {name("blocks"), name("warps"), name("priority"), name("sm"), name("marked")}) {
      names.push_back(each);
    }
    names.push_back({"abs(mark - joined - 1)", "", 0, kMostBlocks});  // 0: its own
    return refusals(own, names, 3);
  }

  int selection() const { return mechanism_.values[index_of<Selection>()]; }

  /// The cheapest sessions that go wrong, and some that do not.
  void begin(std::size_t most_wrong, std::size_t most_right) {
    std::tie(order_, wrong_) = wrong_first(device_, mechanism_, sessions_);
    for (std::size_t i = 0; i < std::min(wrong_, most_wrong); ++i) {
      task_.still();
      add(order_[i], kMostPlacements);
    }
    for (std::size_t i = wrong_; i < std::min(order_.size(), wrong_ + most_right); ++i) {
      add(order_[i], kOfASession);
    }
    placements_ = spread(std::move(placements_), kMostPlacements);
  }

  void add(int session, std::size_t most) {
    auto placements = placements_of(device_, mechanism_, sessions_[session]);
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

  /// The same of the first of these formulas beside a rule of marks; where there is none for one of
  /// them, that is among the found.
  std::optional<int> refuted_beside(const Formula& rule, const std::vector<std::string>& formulas,
                                    std::vector<Proposal>& found) const {
    const int axis = index_of<Mark>();
    std::optional<int> refuting;
    std::optional<std::string> unrefuted;
    {
      const TrialValue trial(
          axis, [&](auto names) { return Evaluation<int, bool>(rule, names).number(); },
          rule.names);
      for (std::size_t i = 0; i < formulas.size() && !unrefuted; ++i) {
        const auto session = refuted_by(proposed(formulas[i], beside(axis, trial.value())));
        if (!session) unrefuted = formulas[i];
        if (i == 0) refuting = session;
      }
    }
    if (!unrefuted) return refuting;
    Proposal proposal = proposed(*unrefuted, beside(axis, formula_value(axis, rule.text)));
    proposal.size += static_cast<int>(rule.nodes.size());
    add(std::move(proposal), found);
    return std::nullopt;
  }

  Hypothesis beside(int axis, int value) const {
    Hypothesis mechanism = mechanism_;
    mechanism.values[axis] = static_cast<std::uint8_t>(value);
    return mechanism;
  }

  Proposal proposed(const std::string& text, const Hypothesis& mechanism) const {
    const Formula formula = parse_formula(info_, text);
    return {axis_,     formula.text, static_cast<int>(formula.nodes.size()),
            mechanism, {},           static_cast<int>(sessions_.size())};
  }

  void add(Proposal proposal, std::vector<Proposal>& found) const {
    proposal.decided = decided_by(proposal);
    found.push_back(std::move(proposal));
  }

  /// In the largest session.
  std::vector<DecidedCase> decided_by(const Proposal& proposal) const {
    const Formula formula = parse_formula(info_, proposal.formula);
    const std::vector<Session> largest{*std::ranges::max_element(sessions_, {}, cost_of)};
    RuleTrials trials(device_, largest, proposal.hypothesis, axis_, formula.names);
    const FormulaRule rule(info_, formula);
    return trials.decided(0, [&](int input) { return rule(trials.inputs()[input]); });
  }

  /// Numbers by which SMs, or parts of the device, have their turn as one of these goes on.
  static std::vector<std::string> turns_by(std::initializer_list<std::string_view> counters) {
    std::vector<std::string> turns;
    for (const std::string_view counter : counters) {
      for (const int parts : usual_parts) {
        turns.push_back(fmt::format("((sm - {1}) mod {0})", parts, counter));
        turns.push_back(fmt::format("((sm * {0} / sms - {1}) mod {0})", parts, counter));
      }
      turns.push_back(fmt::format("((sm - {}) mod sms)", counter));
    }
    return turns;
  }
  static void add_turns(const std::vector<std::string>& turns, std::vector<FormulaName>& names) {
    for (const std::string& turn : turns) names.push_back({turn, "", 0, kMostSms});
  }

  /// What conditions read: what an SM would hold, the registers of a block, blocks of other
  /// kernels and of the other sort (in clusters or not), and whose turn it is, beside the names.
  std::vector<FormulaName> names_of_refusals() const {
    std::vector<FormulaName> names(std::begin(Admission::names), std::end(Admission::names));
    names.push_back({"(warps + w)", "", 1, 2 * kMostOfAnSm});
    names.push_back({"(held_threads + threads)", "", 1, 2 * Admission::kMostThreads});
    names.push_back({"(w * registers)", "", 0, kMostBlocks});
    names.push_back({"(device_blocks - own_on_device)", "", 0, kMostBlocks});
    names.push_back({"(device_urgent - priority)", "", -2 * kMostBlocks, 2 * kMostBlocks});
    names.push_back(
        {"(cluster < 1 ? tpc_clustered : tpc_blocks - tpc_clustered)", "", 0, kMostSms});
    add_turns(turns_, names);
    const FormulaInfo numbers{info_.names, FormulaInfo::Gives::key, ""};
    std::erase_if(names, [&](const FormulaName& name) {
      return (parse_formula(numbers, std::string(name.name)).names & ~given_) != 0;
    });
    return names;
  }

  /// Conditions that hold for each SM that took a block, and for none that comes before it by the
  /// mechanism's selection.
  std::vector<std::string> refusals(const std::string& own, const std::vector<FormulaName>& names,
                                    int most_parts) const {
    const auto read = read_by(Admission::formula, names);
    const Formula selection = parse_formula(Selection::formula, own);
    Kinds took;
    Kinds refused;
    for (const Placement& placement : placements_) {
      const auto place = [&](const EligibleSm& sm) {
        const Evaluation<int, bool> value(selection, sm.selection);
        return std::pair(value.key(), sm.rank);
      };
      const EligibleSm* const chosen =
          placement.chosen < 0 ? nullptr : &placement.eligible[placement.chosen];
      if (chosen) took.insert(read(chosen->admission));
      for (const EligibleSm& each : placement.eligible) {
        const bool passed_over =
            placement.of_cluster ? &each != chosen : !chosen || place(each) < place(*chosen);
        if (passed_over) refused.insert(read(each.admission));
      }
    }
    if (refused.empty()) return {};
    const auto some = [](const Kinds& kinds) {
      const auto kept = spread(std::vector<Kind>(kinds.begin(), kinds.end()), kMostKinds);
      return Kinds(kept.begin(), kept.end());
    };
    const int more_parts = static_cast<int>(refused.size() / kFewestForPart);
    const int parts = std::min(most_parts, 1 + more_parts);
    return conditions_that_part(names, some(took), some(refused), parts);
  }

  const Device& device_;
  const std::vector<Session>& sessions_;
  const Hypothesis& mechanism_;
  const int axis_;
  const Learn learn_;
  const FormulaInfo& info_;
  const Task& task_;
  const std::uint32_t given_;                      ///< names
  const std::vector<std::string> turns_;           ///< that conditions read
  const std::vector<std::string> turns_of_marks_;  ///< likewise, beside marks
  std::vector<int> order_;  ///< of sessions, those first that go wrong under the mechanism
  std::size_t wrong_ = 0;   ///< how many do
  std::vector<Placement> placements_;
};

}  // namespace

std::vector<Proposal> rules_of_placements(const Device& device,
                                          const std::vector<Session>& sessions,
                                          const Hypothesis& mechanism, int axis, Learn learn,
                                          int most_found, const Task& task) {
  PlacementLearner learner(device, sessions, mechanism, axis, learn, task);
  return learn == Learn::with_marks ? learner.rules_with_marks(most_found)
                                    : learner.rules(most_found);
}

std::optional<Proposal> best_rule_of_placements(const Device& device,
                                                const std::vector<Session>& sessions,
                                                const Hypothesis& mechanism, int axis,
                                                const Task& task) {
  return PlacementLearner(device, sessions, mechanism, axis, Learn::one_rule, task).best_of_some();
}

}  // namespace cuvier
