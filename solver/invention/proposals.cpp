#include "solver/invention/proposals.h"

#include <fmt/format.h>

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

#include "hypotheses/scheduler/topology.h"
#include "hypotheses/simulator.h"
#include "solver/invention/axis_search.h"
#include "solver/invention/explains.h"
#include "solver/invention/other_mechanisms.h"
#include "solver/invention/parts_of_sessions.h"
#include "solver/invention/placement_rules.h"

namespace cuvier {
namespace {

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
    const Searches searches =
        searches_of(mechanisms, false, found_none() ? kWorkOneByOne : kLittleOneByOne);
    for (const auto& search : searches) {
      if (search->may_explain_all()) suspect(search->axis());
    }
    Searches fleeting;
    try {
      search_all(searches, fleeting, mechanisms, refuted);
    } catch (const Stopped& early) {
      proposals_.cut_short = early.why;
    }
    for (const auto& search : searches) note(*search);
    for (const auto& search : fleeting) note(*search);
    return std::move(proposals_);
  }

 private:
  using Searches = std::vector<std::unique_ptr<AxisSearch>>;
  using Which = bool (AxisSearch::*)() const;
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
  void search_all(const Searches& searches, Searches& fleeting,
                  const std::vector<Hypothesis>& mechanisms, const std::vector<Proposal>& refuted) {
    // Two small rules are as likely as a large one.
    const ProposalLimits all = std::exchange(limits_, at_first());
    // What was found in tables may explain as little as any other.
    if (!found_none()) limits_.most_work = kWorkBesidePlacements;
    search(searches, limits_.largest, &AxisSearch::explains_each);
    if (found_none()) search_cases(searches, true);
    if (found_none()) search_cases(searches, false, AxisSearch::Cases::of_own);
    if (found_none()) search_placements(mechanisms, Learn::one_rule, kOfKernels);
    if (found_none()) search_placements(mechanisms, Learn::two_keys);
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
    work_ += work_of(searches) + work_of(fleeting);
    if (found_none() && !limits_.only) search_beside(mechanisms.front());
  }

  /// Where blocks go is seen, so what chooses among SMs or kernels need not be guessed. Returns
  /// rules that choose as was seen and are refuted all the same.
  std::vector<Proposal> search_placements(const std::vector<Hypothesis>& mechanisms, Learn learn,
                                          std::span<const int> axes = kOfSms) {
    std::vector<Proposal> refuted;
    for (const Hypothesis& mechanism : mechanisms) {
      for (const int axis : axes) {
        if (limits_.only && *limits_.only != axis) continue;
        RulesOfPlacements rules = rules_of_placements(device_, observed(mechanism), mechanism, axis,
                                                      learn, limits_.most_found, task_);
        std::ranges::move(rules.found, std::back_inserter(proposals_.found));
        // What an SM refuses could be so for another reason.
        if (rules.best_refuted && axis == index_of<Selection>()) {
          refuted.push_back(std::move(*rules.best_refuted));
        }
      }
    }
    return refuted;
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
  Searches searches_of(const std::vector<Hypothesis>& mechanisms, bool fleeting,
                       double work_one_by_one = kWorkOneByOne) {
    Searches searches;
    for (const Hypothesis& mechanism : mechanisms) {
      add_searches(
          mechanism, fleeting, [&](int axis) { return matters(axis, mechanism); }, searches);
      // Of an axis that only matters under another value of another axis: under that.
      for (const Hypothesis& changed : other_mechanisms(device_, mechanism, assumptions_)) {
        add_searches(
            changed, fleeting,
            [&](int axis) {
              // Whoever walks is found to walk before it matters when that begins anew.
              return axis != index_of<CursorReset>() && !matters(axis, mechanism) &&
                     matters(axis, changed);
            },
            searches);
      }
    }
    for (const auto& search : searches) {
      task_.doing(fmt::format("inventing: what {} decides", axis_info(search->axis()).name));
      search->explain_one_by_one(limits_, work_one_by_one, task_);
    }
    std::ranges::stable_sort(searches, std::greater{},
                             [](const auto& s) { return s->one_by_one(); });
    return searches;
  }

  /// Of the axes for which that is so.
  void add_searches(const Hypothesis& mechanism, bool fleeting, const auto& is_wanted,
                    Searches& searches) {
    std::map<const std::vector<Session>*, std::vector<int>> wrong;
    for (int axis = 0; axis < kAxes; ++axis) {
      if (axis_info(axis).part == Part::clusters && device_.largest_cluster() == 0) continue;
      if (!axis_info(axis).formula || axis_size(axis) >= kMostValues ||
          (limits_.only && *limits_.only != axis) || !is_wanted(axis)) {
        continue;
      }
      const auto [known, is_new] = wrong.try_emplace(&sessions_.under(mechanism, axis));
      if (is_new) known->second = *wrong_of(*known->first, mechanism);
      const std::uint32_t names = fleeting_names(*axis_info(axis).formula);
      if (!fleeting) {
        for (const std::uint32_t read : names_to_search_with(axis)) {
          add_search(mechanism, known->second, axis, read, searches);
        }
      }
      if (fleeting && names != 0 && !is_learned_of_placements(axis, mechanism)) {
        add_search(mechanism, known->second, axis, ~0u, searches);
      }
    }
  }

  void add_search(const Hypothesis& mechanism, const std::vector<int>& wrong, int axis,
                  std::uint32_t names, Searches& searches) {
    names &= given_names(device_, *axis_info(axis).formula);
    const auto is_it = [&](const auto& search) { return search->is_of(axis, names, mechanism); };
    if (std::ranges::any_of(searches, is_it)) return;
    searches.push_back(std::make_unique<AxisSearch>(device_, sessions_.under(mechanism, axis),
                                                    mechanism, wrong, axis, names, assumptions_));
  }

  /// What was worked on least goes on, until it has found something and the others had as much. An
  /// axis that could be the reason of few sessions gets as much less.
  void search(const Searches& searches, int largest, Which which) {
    const auto share = [&](const AxisSearch& search) {
      return which == &AxisSearch::explains_some ? search.plausibility() : 1;
    };
    double most_work = limits_.most_work;
    while (work_ + work_of(searches) < limits_.most_work_in_all) {
      AxisSearch* next = nullptr;
      for (const auto& search : searches) {
        const bool may_go_on = (search.get()->*which)() && search->size() < largest &&
                               search->work_on_sizes() < most_work * share(*search);
        if (may_go_on && (!next || search->work_on_sizes() < next->work_on_sizes())) {
          next = search.get();
        }
      }
      if (!next) return;
      ProposalLimits limits = limits_;
      limits.most_work *= share(*next);
      auto found = next->next_size(limits, within_budget(searches));
      if (found.empty()) continue;
      most_work = std::min(most_work, next->work_on_sizes());
      std::ranges::move(found, std::back_inserter(proposals_.found));
    }
  }

  /// Of the axes that could be the reason of some session, or of the others. Once one has found
  /// any, the others get as much work as that took.
  void search_cases(const Searches& searches, bool of_some,
                    AxisSearch::Cases cases = AxisSearch::Cases::of_any) {
    ProposalLimits limits = limits_;
    for (const auto& search : searches) {
      if (search->explains_some() != of_some) continue;
      const double before = search->work();
      auto found = search->in_two_cases(cases, limits, within_budget(searches));
      if (found.empty()) continue;
      limits.most_work = std::min(limits.most_work, search->work() - before);
      std::ranges::move(found, std::back_inserter(proposals_.found));
    }
    std::ranges::stable_sort(proposals_.found, {}, &Proposal::size);
  }

  /// The likeliest axes first.
  void grow(const Searches& searches) {
    for (const auto& search : searches) {
      if (!search->explains_some() || !found_none()) continue;
      proposals_.found = search->grown(kWorkToGrow * search->plausibility(), task_);
    }
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
  Task within_budget(const Searches& searches) const {
    return task_.retold([this, &searches](const Doing& doing) {
      if (doing.what.empty()) return doing;  // the same is still being done
      return Doing{doing.what, work_ + work_of(searches), limits_.most_work_in_all, true};
    });
  }

  static double work_of(const Searches& searches) {
    double work = 0;
    for (const auto& search : searches) work += search->work();
    return work;
  }

  /// Where the mechanism is another in one axis more.
  void search_beside(const Hypothesis& mechanism) {
    const std::size_t wrong = wrong_of(observed(mechanism), mechanism)->size();
    for (const Hypothesis& changed : other_mechanisms(device_, mechanism, assumptions_)) {
      if (work_ > limits_.most_work_in_all) continue;
      if (!wrong_of(observed(changed), changed, 2 * wrong)) continue;
      const Searches searches = searches_of({changed}, false);
      search(searches, kLargestBeside, &AxisSearch::explains_each);
      work_ += work_of(searches);
      if (!found_none()) return;
    }
  }

  // Rules that explain some of what goes wrong: a second one is looked for on top of one of them.
  std::vector<Proposal> firsts_of_placements(const std::vector<Hypothesis>& mechanisms) {
    std::vector<Proposal> firsts;
    for (const Hypothesis& mechanism : mechanisms) {
      for (const int axis : kOfSms) {
        auto best = best_rule_of_placements(device_, observed(mechanism), mechanism, axis, task_);
        if (best) firsts.push_back(std::move(*best));
      }
    }
    std::ranges::stable_sort(firsts, std::greater{}, &Proposal::explained);
    return firsts;
  }

  /// On top of the best rules of those axes that could be the reason of most sessions.
  void search_on_top_of(const Searches& searches, OnTop of) {
    if (!found_none() || limits_.only) return;
    const bool likely = of == OnTop::likely;
    std::vector<Proposal> firsts;
    int tried = 0;
    for (const auto& search : searches) {
      if (!(likely ? search->explains_most() : search->explains_any())) continue;
      if (++tried > kMostFirst) break;
      auto best = search->best(kLargestInPart, likely ? kLeastOfLikely : 0, limits_, task_);
      if (best) firsts.push_back(std::move(*best));
    }
    search_on_top_of(firsts, of);
  }

  void search_on_top_of(const std::vector<Proposal>& rules, OnTop of) {
    for (const Proposal& rule : rules) {
      if (!found_none() || limits_.only) return;
      search_on_top_of(rule, of);
    }
  }

  void search_on_top_of(const Proposal& rule, OnTop of) {
    if (!proposals_.best || rule.explained > proposals_.best->explained) proposals_.best = rule;
    const Hypothesis mechanism = mechanism_of(rule);
    if (wrong_of(observed(mechanism), mechanism)->empty()) {  // on top of it, anything would do
      proposals_.found.push_back(rule);
      return;
    }
    search_placements({mechanism}, Learn::one_rule);
    if (!found_none()) return;
    const Searches on_top =
        searches_of({mechanism}, false, of == OnTop::likely ? kLittleOneByOne : kWorkOneByOne);
    search(on_top, limits_.largest, &AxisSearch::explains_each);
    if (found_none() && of == OnTop::any) {
      search_cases(on_top, true);
      if (found_none()) search(on_top, limits_.largest, &AxisSearch::explains_some);
    }
    for (const auto& search : on_top) note(*search);
    work_ += work_of(on_top);
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
