#include "solver/diagnosis/near_miss.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "hypotheses/neighbours.h"
#include "hypotheses/simulator.h"
#include "solver/cancellation/task.h"
#include "solver/finding/mismatches.h"
#include "solver/finding/pattern.h"
#include "solver/space/sessions.h"
#include "solver/space/survivors.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

/// How often the space is made anew without what would empty it, which takes seconds.
constexpr int kMostWithdrawn = 4;

/// Blocks that are predicted: some seconds.
constexpr double kMostBlocks = 3'000'000;

/// The facts from the first wrong one on: once a block is elsewhere, so are others, and whether
/// they are right says nothing.
int lost_facts(const Recording& recording, const Observation& predicted) {
  const auto first = std::ranges::find_if(
      recording.facts, [&](const Fact& fact) { return !agrees(fact, predicted, recording.probe); });
  return static_cast<int>(recording.facts.end() - first);
}

/// Takes one recording after the other, and leaves out those (and what follows in their session)
/// with which nothing would be left, but for the steps of the first of them with which something
/// is: the simplest hypothesis that explains what was taken.
class Greedy {
 public:
  Greedy(const Device& device, const Assumptions& assumptions, const Task& task)
      : device_(device),
        assumptions_(assumptions),
        task_(task),
        space_(std::in_place, device, assumptions),
        simplest_(space_->simplest()),
        may_be_left_(assumptions) {}

  Hypothesis run(const std::vector<Session>& sessions) {
    for (const Session& session : sessions) {
      for (std::size_t end = 1; end <= session.size(); ++end) {
        if (!take(session, end)) break;
      }
    }
    return simplest_;
  }

  /// So many recordings are explained to their end.
  int taken() const { return whole_; }

 private:
  /// Whether the last of the session's first so many recordings could be taken.
  bool take(const Session& session, std::size_t end) {
    taken_.push_back(session[end - 1]);
    Simulator simulator(device_, simplest_);
    Observation predicted;
    for (std::size_t i = 0; i < end; ++i) predicted = simulator.replay(session[i]);
    bool good = lost_facts(taken_.back(), predicted) == 0;
    if (!good && withdrawn_ < kMostWithdrawn) {
      task_.doing("looking for what comes nearest: {}", taken_.back().name());
      good = leaves_something();
      withdrawn_ += good ? 0 : 1;
    }
    whole_ += good ? 1 : 0;
    if (good) return true;
    taken_.pop_back();
    if (withdrawn_ == 1) take_first_steps(session[end - 1]);
    return false;
  }

  /// As many as leave something.
  void take_first_steps(const Recording& recording) {
    const auto leave_something = [&](int steps) {
      taken_.push_back(first_steps(recording, steps));
      space_.reset();
      return leaves_something();
    };
    const auto all = std::views::iota(1, static_cast<int>(recording.probe.script.size()));
    const auto too_many = std::ranges::partition_point(all, [&](int steps) {
      const bool good = leave_something(steps);
      taken_.pop_back();
      return good;
    });
    if (too_many != all.begin()) leave_something(*too_many - 1);
  }

  /// Whether what was taken does. Else the space is to be made anew.
  bool leaves_something() {
    try {
      if (!space_) {
        space_.emplace(device_, may_be_left_);
        in_space_ = 0;
      }
      task_.doing("looking for what comes nearest");
      while (in_space_ < taken_.size() && !space_->empty()) {
        space_->observe(taken_[in_space_++], task_);
      }
      if (!space_->empty()) {
        simplest_ = space_->simplest();
        tell_what_may_be_left();
        return true;
      }
    } catch (const GaveUp&) {
    }
    space_.reset();
    return false;
  }

  /// Last resorts may explain what nothing that is left now does.
  void tell_what_may_be_left() {
    const SurvivingValues surviving = space_->surviving();
    for (int axis = 0; axis < kAxes; ++axis) {
      may_be_left_.allowed[axis] = assumptions_.allowed[axis] & last_resorts(axis);
      for (const int value : surviving[axis]) may_be_left_.allowed[axis] |= 1u << value;
    }
  }

  const Device& device_;
  const Assumptions& assumptions_;
  const Task& task_;
  std::vector<Recording> taken_;
  std::optional<VersionSpace> space_;  ///< of the first of these; none once it was emptied
  std::size_t in_space_ = 0;           ///< how many
  Hypothesis simplest_;                ///< explains all that was taken
  Assumptions may_be_left_;            ///< of what explains what was taken, these values
  int whole_ = 0;                      ///< of what was taken
  int withdrawn_ = 0;
};

/// Changes one axis at a time, and in the end two, as long as that gets fewer facts wrong.
class Descent {
 public:
  Descent(const Device& device, const Assumptions& assumptions,
          const std::vector<Session>& sessions, const Task& task)
      : device_(device), assumptions_(assumptions), task_(task) {
    for (const Session& session : sessions) sessions_.push_back({&session, 0});
  }

  Hypothesis run(const std::vector<Hypothesis>& starts) {
    std::optional<Scored> best;
    for (const Hypothesis& start : starts) {
      Scored at{start, score_of(start, worst)};
      while (improve(at, changes_of(at.hypothesis))) {
      }
      if (!best || at.score < best->score) best = std::move(at);
    }
    while (improve(*best, changes_of(best->hypothesis)) ||
           improve(*best, pairs_of_changes(best->hypothesis))) {
    }
    return best->hypothesis;
  }

 private:
  struct Score {
    int wrong = 0;    ///< probes
    int lost = 0;     ///< facts from the first wrong one on
    int changes = 0;  ///< from Algorithm 1
    auto operator<=>(const Score&) const = default;
  };
  struct Scored {
    Hypothesis hypothesis;
    Score score;
  };
  struct Judged {
    const Session* session;
    int lost;  ///< facts, for the hypothesis at hand
  };
  static constexpr Score worst{std::numeric_limits<int>::max(), 0, 0};

  /// No better than `best` is told as soon as it is certain.
  Score score_of(const Hypothesis& hypothesis, const Score& best) {
    Score score;
    score.changes = static_cast<int>(
        std::ranges::count_if(hypothesis.values, [](int value) { return value != 0; }));
    for (const Judged& judged : sessions_) {
      score_in(*judged.session, hypothesis, score);
      if (score >= best) break;
    }
    return score;
  }

  void score_in(const Session& session, const Hypothesis& hypothesis, Score& score) {
    Simulator simulator(device_, hypothesis);
    for (const Recording& recording : session) {
      task_.doing("looking for what comes nearest");
      const int lost = lost_facts(recording, simulator.replay(recording));
      score.wrong += lost > 0 ? 1 : 0;
      score.lost += lost;
      blocks_ += recording.probe.blocks();
    }
  }

  bool improve(Scored& at, std::vector<Hypothesis> others) {
    task_.doing("looking for what comes nearest: {} probes wrong", at.score.wrong);
    // What is wrong now is asked first: what does not improve on it needs no further questions.
    for (Judged& judged : sessions_) {
      Score alone;
      score_in(*judged.session, at.hypothesis, alone);
      judged.lost = alone.lost;
    }
    std::ranges::stable_sort(sessions_, std::greater{}, &Judged::lost);
    const Score before = at.score;
    for (Hypothesis& other : others) {
      if (blocks_ > kMostBlocks) break;
      if (!tried_.insert(other).second) continue;
      const Score score = score_of(other, at.score);
      if (score < at.score) at = {std::move(other), score};
    }
    return at.score < before;
  }

  std::vector<Hypothesis> changes_of(const Hypothesis& base) const {
    Rng none(0);  // for orders, which are not drawn here
    std::vector<Hypothesis> changes;
    for (Hypothesis& changed : single_axis_changes(device_, base, none)) {
      const int axis = changed_axis(base, changed);
      if (!assumptions_.allows(axis, changed.values[axis])) continue;
      changed = canonical(std::move(changed));
      const bool learned = changed.get<TieBreak>() == TieBreak::learned;
      if (learned && base.order.empty()) continue;
      changed.order = learned ? base.order : std::vector<int>{};
      changes.push_back(std::move(changed));
    }
    return changes;
  }

  std::vector<Hypothesis> pairs_of_changes(const Hypothesis& base) const {
    std::vector<Hypothesis> pairs;
    for (const Hypothesis& changed : changes_of(base)) {
      std::ranges::move(changes_of(changed), std::back_inserter(pairs));
    }
    return pairs;
  }

  const Device& device_;
  const Assumptions& assumptions_;
  const Task& task_;
  std::vector<Judged> sessions_;
  double blocks_ = 0;  ///< predicted
  std::set<Hypothesis> tried_;
};

/// SMs that are predicted in what is wrong, and that no recording shows a block on.
std::vector<int> never_used(const std::vector<RecordingSet>& sets,
                            const std::vector<Mismatch>& wrong) {
  std::set<int> sms;
  for (const Mismatch& mismatch : wrong) {
    const Fact& predicted = mismatch.instead;
    if (predicted.lists_sms()) sms.insert(predicted.values.begin(), predicted.values.end());
  }
  for (const RecordingSet& set : sets) {
    for (const Recording& recording : set.recordings) {
      for (const int sm : sms_in(recording.facts)) sms.erase(sm);
    }
  }
  return {sms.begin(), sms.end()};
}

}  // namespace

std::vector<Hypothesis> near_miss_starts(const std::vector<RecordingSet>& sets,
                                         const Assumptions& assumptions, const Task& task) {
  const Device& device = sets.front().device;
  std::vector<Session> sessions = sessions_of(sets);
  most_telling_first(sessions);
  int count = 0;
  for (const Session& session : sessions) count += static_cast<int>(session.size());
  // Last resorts that explain much take long to refute; where most is explained without them,
  // descent finds them, too.
  const Assumptions others = assumptions.quick_to_refute();
  Greedy greedy(device, others, task);
  std::vector<Hypothesis> starts{greedy.run(sessions)};
  if (2 * greedy.taken() < count) {
    starts.push_back(Greedy(device, assumptions, task).run(sessions));
  }
  starts.push_back(VersionSpace(device, others).simplest());
  return starts;
}

NearMiss near_miss(const std::vector<RecordingSet>& sets, const Assumptions& assumptions,
                   const std::vector<Hypothesis>& starts, const Task& task) {
  std::vector<Session> sessions = sessions_of(sets);
  most_telling_first(sessions);
  return miss_of(sets, Descent(sets.front().device, assumptions, sessions, task).run(starts));
}

NearMiss miss_of(const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis) {
  NearMiss miss;
  miss.hypothesis = hypothesis;
  miss.wrong = mismatches(sets, hypothesis);
  for (const RecordingSet& set : sets) {
    for (const Recording& recording : set.recordings) {
      miss.facts += static_cast<int>(recording.facts.size());
    }
  }
  miss.pattern = pattern_of(told_apart(sets, hypothesis, miss.wrong));
  miss.never_used = never_used(sets, miss.wrong);
  return miss;
}

void tell_nearest(Finding& refuted, NearMiss nearest) {
  if (nearest.wrong.empty() && nearest.facts > 0) {
    refuted.verdict = Verdict::undecided;
    refuted.reason = fmt::format(
        "a defect of cuvier, please report the journal: its constraints leave nobody, and {} "
        "predicts all facts",
        describe(nearest.hypothesis));
  }
  refuted.nearest = std::move(nearest);
}

}  // namespace cuvier
