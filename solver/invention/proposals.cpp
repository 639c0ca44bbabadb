#include "solver/invention/proposals.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "hypotheses/neighbours.h"
#include "hypotheses/readings/choices.h"
#include "hypotheses/scheduler/topology.h"
#include "hypotheses/simulator.h"
#include "solver/invention/axis_searches.h"
#include "solver/invention/explains.h"
#include "solver/invention/parts_of_sessions.h"
#include "solver/invention/placement_rules.h"

namespace cuvier {
namespace {

/// Those that differ from this mechanism in one axis that matters, as far as the assumptions allow;
/// none whose order is to be learned.
std::vector<Hypothesis> other_mechanisms(const Device& device, const Hypothesis& mechanism,
                                         const Assumptions& assumptions) {
  std::vector<Hypothesis> others;
  Rng none(0);  // for orders, which are not drawn here
  for (Hypothesis& other : single_axis_changes(device, mechanism, none)) {
    const int axis = changed_axis(mechanism, other);
    const bool is_learned = other.get<TieBreak>() == TieBreak::learned;
    if (is_learned || leaves_open(other) || !assumptions.allows(axis, other.values[axis])) continue;
    others.push_back(canonical(std::move(other)));
  }
  return others;
}

/// The same where another thing has the cursor return. Without a cursor that does not matter; a
/// rule may have one.
std::vector<Hypothesis> with_other_resets(const std::vector<Hypothesis>& mechanisms,
                                          const Assumptions& assumptions) {
  std::vector<Hypothesis> others;
  for (const Hypothesis& mechanism : mechanisms) {
    const auto given = mechanism.get<CursorReset>();
    for (const auto reset : {CursorReset::device_idle, CursorReset::kernel, CursorReset::never}) {
      if (reset == given || !assumptions.allows(index_of<CursorReset>(), reset)) continue;
      others.push_back(mechanism.with(index_of<CursorReset>(), reset));
    }
  }
  return others;
}

/// The search, under one mechanism after the other.
class Inventor {
 public:
  Inventor(const Device& device, const std::vector<Session>& sessions,
           const Assumptions& assumptions, const ProposalLimits& limits, const Task& task)
      : device_(device),
        sessions_(sessions),
        assumptions_(assumptions),
        limits_(limits),
        task_(task) {}

  Proposals run(const std::vector<Hypothesis>& mechanisms) {
    const std::vector<Session>& first = observed(mechanisms.front());
    proposals_.sessions = static_cast<int>(first.size());
    proposals_.wrong = static_cast<int>(wrong_of(first, mechanisms.front())->size());
    const std::vector<Proposal> refuted = search_placements(mechanisms, Learn::one_rule);
    AxisSearches searches =
        searches_of(mechanisms, false, found_none() ? kWorkOneByOne : kLittleOneByOne);
    for (const auto& search : searches) {
      if (search->may_explain_all()) suspect(search->axis());
    }
    AxisSearches fleeting;
    try {
      search_all(searches, fleeting, mechanisms, refuted);
    } catch (const Stopped& early) {
      proposals_.cut_short = early.why;
    }
    for (const auto& search : searches) note(*search);
    for (const auto& search : fleeting) note(*search);
    std::ranges::stable_sort(proposals_.found, {}, &Proposal::size);
    return std::move(proposals_);
  }

 private:
  enum class OnTop { likely, any };  ///< rules that are searched beside another
  static constexpr std::array kOfSms{index_of<Selection>(), index_of<Admission>()};
  static constexpr std::array kOfKernels{index_of<Priority>()};
  static constexpr int kLargestBeside = 5;          ///< where something else differs, too
  static constexpr int kLargestInPart = 5;          ///< where not everything is explained
  static constexpr int kLargestBeforeMarks = 4;     ///< likewise; marks take minutes on an H200
  static constexpr double kWorkOneByOne = 600'000;  ///< an axis under a mechanism
  static constexpr double kLittleOneByOne = 100'000;
  static constexpr double kWorkAtFirst = 3'000'000;
  static constexpr double kWorkBesidePlacements = 300'000;
  static constexpr double kWorkToGrow = 3'000'000;
  static constexpr double kWorkForExceptions = 10'000'000;
  static constexpr int kMostFirst = 3;           ///< axes of the first of two rules
  static constexpr double kLeastOfLikely = 0.5;  ///< of what goes wrong, by the first

  /// `fleeting`: of rules that read what is fleeting. They are dear to follow and can be made to
  /// explain much, so they come behind others.
  void search_all(AxisSearches& searches, AxisSearches& fleeting,
                  const std::vector<Hypothesis>& mechanisms, const std::vector<Proposal>& refuted) {
    // Two small rules are as likely as a large one.
    const ProposalLimits all = std::exchange(limits_, at_first());
    // What was found in tables may explain as little as any other.
    if (!found_none()) limits_.most_work = kWorkBesidePlacements;
    search(searches, limits_.largest, &AxisSearch::explains_each);
    if (found_none()) search_cases(searches, true);
    if (found_none()) search_cases(searches, false, AxisSearch::Cases::of_own);
    if (found_none()) search_placements(mechanisms, Learn::one_rule, kOfKernels);
    if (found_none()) search_placements(mechanisms, Learn::two_parts);
    search_on_top_of(refuted, OnTop::likely);
    search_on_top_of(searches, OnTop::likely);
    if (found_none()) grow(searches);
    if (found_none()) search_placements(mechanisms, Learn::in_cases);
    if (found_none())
      search_placements(with_other_resets(mechanisms, assumptions_), Learn::one_rule);
    if (found_none()) {
      fleeting = searches_of(mechanisms, true);
      search(fleeting, kLargestInPart, &AxisSearch::explains_each);
    }
    if (found_none()) search(searches, kLargestBeforeMarks, &AxisSearch::explains_some);
    if (found_none() && !limits_.only) search_placements(mechanisms, Learn::with_marks);
    if (found_none()) search(searches, kLargestInPart, &AxisSearch::explains_some);
    if (found_none() && !limits_.only)
      search_on_top_of(firsts_of_placements(mechanisms), OnTop::any);
    if (found_none()) grow(fleeting);
    if (found_none()) search(fleeting, kLargestInPart, &AxisSearch::explains_some);
    if (found_none()) search_cases(searches, false);
    search_on_top_of(searches, OnTop::any);
    if (found_none() && !limits_.only) search_exceptions(mechanisms);
    limits_ = all;
    if (found_none()) search(searches, limits_.largest, &AxisSearch::explains_each);
    if (found_none()) search(searches, limits_.largest, &AxisSearch::may_explain_all);
    work_ += searches.work() + fleeting.work();
    if (found_none() && !limits_.only) search_beside(mechanisms.front());
  }

  /// Where blocks go is seen, so what chooses among SMs or kernels need not be guessed. Returns the
  /// best of what does not explain everything.
  std::vector<Proposal> search_placements(const std::vector<Hypothesis>& mechanisms, Learn learn,
                                          std::span<const int> axes = kOfSms) {
    std::vector<std::pair<const Hypothesis*, int>> each;
    for (const Hypothesis& mechanism : mechanisms) {
      for (const int axis : axes) {
        if (!limits_.only || *limits_.only == axis) each.emplace_back(&mechanism, axis);
      }
    }
    std::vector<RulesOfPlacements> rules(each.size());
    const auto learn_one = [&](std::size_t i) {
      const auto& [mechanism, axis] = each[i];
      rules[i] = rules_of_placements(device_, observed(*mechanism), *mechanism, axis, learn,
                                     limits_.most_found, task_);
    };
    if (learn == Learn::with_marks) {  // it gives formulas of `mark`, and uses all cores itself
      for (std::size_t i = 0; i < each.size(); ++i) learn_one(i);
    } else {
      tbb::parallel_for(std::size_t{0}, each.size(), learn_one);
    }
    std::vector<Proposal> best;
    for (std::size_t i = 0; i < each.size(); ++i) {
      std::ranges::move(rules[i].found, std::back_inserter(proposals_.found));
      // What an SM refuses could be so for another reason.
      const bool counts = learn == Learn::most || each[i].second == index_of<Selection>();
      if (rules[i].best && counts) best.push_back(std::move(*rules[i].best));
    }
    return best;
  }

  bool found_none() const { return proposals_.found.empty() && proposals_.exceptions.empty(); }

  ProposalLimits at_first() const {
    ProposalLimits limits = limits_;
    limits.most_work = std::min(limits.most_work, kWorkAtFirst);
    return limits;
  }

  const std::vector<Session>& observed(const Hypothesis& mechanism) const {
    return sessions_.under(mechanism);
  }

  static constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
  /// The sessions that it does not explain; none where these are more.
  std::optional<std::vector<int>> wrong_of(const std::vector<Session>& sessions,
                                           const Hypothesis& mechanism,
                                           std::size_t most = kAnyNumber) {
    task_.doing("inventing: what else could differ");
    std::vector<int> wrong;
    for (int session = 0; session < std::ssize(sessions); ++session) {
      if (!explains(Simulator(device_, mechanism), sessions[session])) wrong.push_back(session);
      if (wrong.size() > most) return std::nullopt;
    }
    return wrong;
  }

  /// `fleeting`: for rules that read what is fleeting, or for those that do not.
  AxisSearches searches_of(const std::vector<Hypothesis>& mechanisms, bool fleeting,
                           double work_one_by_one = kWorkOneByOne) {
    std::vector<Sought> sought;
    for (const Hypothesis& mechanism : mechanisms) {
      add_sought(
          mechanism, fleeting, [&](int axis) { return matters(axis, mechanism); }, sought);
      // Of an axis that only matters under another value of another axis: under that.
      for (const Hypothesis& changed : other_mechanisms(device_, mechanism, assumptions_)) {
        add_sought(
            changed, fleeting,
            [&](int axis) {
              // Whoever walks is found to walk before it matters when that begins anew.
              return axis != index_of<CursorReset>() && !matters(axis, mechanism) &&
                     matters(axis, changed);
            },
            sought);
      }
    }
    return AxisSearches(device_, sought, assumptions_, limits_, work_one_by_one, task_);
  }

  /// Of the axes for which that is so.
  void add_sought(const Hypothesis& mechanism, bool fleeting, const auto& is_wanted,
                  std::vector<Sought>& sought) {
    std::map<const std::vector<Session>*, std::vector<int>> wrong;
    for (int axis = 0; axis < kAxes; ++axis) {
      if (axis_info(axis).part == Part::clusters && device_.largest_cluster() == 0) continue;
      if (!axis_info(axis).formula || axis_size(axis) >= kMostValues ||
          (limits_.only && *limits_.only != axis) || !is_wanted(axis)) {
        continue;
      }
      const FormulaInfo& info = *axis_info(axis).formula;
      const std::vector<Session>* sessions = &sessions_.under(mechanism, axis);
      const auto [known, is_new] = wrong.try_emplace(sessions);
      if (is_new) known->second = *wrong_of(*sessions, mechanism);
      std::vector<std::uint32_t> with;
      if (!fleeting) {
        with = names_to_search_with(axis);
      } else if (fleeting_names(info) != 0 && !is_learned_of_placements(axis, mechanism)) {
        with = {~0u};
      }
      for (const std::uint32_t names : with) {
        const Sought one{mechanism, axis, names & given_names(device_, info), sessions,
                         known->second};
        const auto is_it = [&](const Sought& each) { return each.is_as(one); };
        if (std::ranges::none_of(sought, is_it)) sought.push_back(one);
      }
    }
  }

  void search(AxisSearches& searches, int largest, AxisSearches::Which which) {
    ProposalLimits limits = limits_;
    limits.most_work_in_all -= work_;
    add(searches.by_size(largest, which, limits, within_budget(searches)));
  }

  void search_cases(AxisSearches& searches, bool of_some,
                    AxisSearch::Cases cases = AxisSearch::Cases::of_any) {
    add(searches.in_two_cases(of_some, cases, limits_, within_budget(searches)));
  }

  void grow(AxisSearches& searches) { add(searches.grown(kWorkToGrow, task_)); }

  void add(std::vector<Proposal> found) {
    std::ranges::move(found, std::back_inserter(proposals_.found));
  }

  void search_exceptions(const std::vector<Hypothesis>& mechanisms) {
    Rng none(0);  // for orders, which are not drawn here
    for (const Hypothesis& mechanism : mechanisms) {
      proposals_.exceptions =
          exceptions_that_explain(device_, observed(mechanism), mechanism,
                                  deviations(device_, mechanism, none), kWorkForExceptions, task_);
      if (!proposals_.exceptions.empty()) return;
    }
  }

  /// What searches do, beside how much of all that they may do is done.
  Task within_budget(const AxisSearches& searches) const {
    return task_.retold([this, &searches](const Doing& doing) {
      if (doing.what.empty()) return doing;  // the same is still being done
      return Doing{doing.what, work_ + searches.work(), limits_.most_work_in_all, true};
    });
  }

  /// Where the mechanism is another in one axis more.
  void search_beside(const Hypothesis& mechanism) {
    const std::size_t wrong = wrong_of(observed(mechanism), mechanism)->size();
    for (const Hypothesis& changed : other_mechanisms(device_, mechanism, assumptions_)) {
      if (work_ > limits_.most_work_in_all) continue;
      if (!wrong_of(observed(changed), changed, 2 * wrong)) continue;
      AxisSearches searches = searches_of({changed}, false);
      search(searches, kLargestBeside, &AxisSearch::explains_each);
      work_ += searches.work();
      if (!found_none()) return;
    }
  }

  // Rules that explain some of what goes wrong: a second one is looked for on top of one of them.
  std::vector<Proposal> firsts_of_placements(const std::vector<Hypothesis>& mechanisms) {
    std::vector<Proposal> firsts = search_placements(mechanisms, Learn::most);
    std::ranges::stable_sort(firsts, std::greater{}, &Proposal::share);
    return firsts;
  }

  /// On top of the best rules of those axes that could be the reason of most sessions.
  void search_on_top_of(AxisSearches& searches, OnTop of) {
    if (!found_none() || limits_.only) return;
    const bool likely = of == OnTop::likely;
    search_on_top_of(
        searches.best(likely ? &AxisSearch::explains_most : &AxisSearch::explains_any, kMostFirst,
                      kLargestInPart, likely ? kLeastOfLikely : 0, limits_, task_),
        of);
  }

  void search_on_top_of(const std::vector<Proposal>& rules, OnTop of) {
    for (const Proposal& rule : rules) {
      if (!found_none() || limits_.only) return;
      search_on_top_of(rule, of);
    }
  }

  void search_on_top_of(const Proposal& rule, OnTop of) {
    if (!proposals_.best || rule.share() > proposals_.best->share()) proposals_.best = rule;
    if (axis_size(rule.axis) >= kMostValues) return;  // the axis can have no further value
    const Hypothesis mechanism = mechanism_of(rule);
    if (wrong_of(observed(mechanism), mechanism)->empty()) {  // on top of it, anything would do
      proposals_.found.push_back(rule);
      return;
    }
    search_placements({mechanism}, Learn::one_rule);
    if (!found_none()) return;
    AxisSearches on_top =
        searches_of({mechanism}, false, of == OnTop::likely ? kLittleOneByOne : kWorkOneByOne);
    search(on_top, limits_.largest, &AxisSearch::explains_each);
    if (found_none() && of == OnTop::any) {
      search_cases(on_top, true);
      if (found_none()) search(on_top, limits_.largest, &AxisSearch::explains_some);
    }
    for (const auto& search : on_top) note(*search);
    work_ += on_top.work();
  }

  void suspect(int axis) {
    auto& suspects = proposals_.suspects;
    const auto place = std::ranges::lower_bound(suspects, axis);
    if (place == suspects.end() || *place != axis) suspects.insert(place, axis);
  }

  void note(const AxisSearch& search) {
    SearchedAxis& searched = proposals_.searched[search.axis()];
    searched.size = std::max(searched.size, search.size());
    if (search.one_by_one() > searched.one_by_one || searched.looked_at == 0) {
      searched.one_by_one = search.one_by_one();
      searched.looked_at = search.looked_at();
    }
    proposals_.formulas += search.formulas();
    proposals_.pairs += search.pairs();
  }

  const Device& device_;
  const PartsOfSessions sessions_;
  const Assumptions& assumptions_;
  ProposalLimits limits_;
  const Task& task_;
  Proposals proposals_;
  double work_ = 0;  ///< of searches that ended
};

}  // namespace

Proposals propose(const Device& device, const std::vector<Session>& sessions,
                  const std::vector<Hypothesis>& mechanisms, const Assumptions& assumptions,
                  const ProposalLimits& limits, const Task& task) {
  return Inventor(device, sessions, assumptions, limits, task).run(mechanisms);
}

}  // namespace cuvier
