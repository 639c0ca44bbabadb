#include "solver/invention/placements.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "hypotheses/readings/prediction.h"
#include "hypotheses/scheduler/scheduler.h"
#include "probes/initial_observation.h"

namespace cuvier {
namespace {

/// What was seen cannot come about by this mechanism from here on.
struct Ends {};

/// What was decided in a session, as far as it can be followed: of SMs, and of kernels.
struct Decided {
  std::vector<Placement> placements;
  std::vector<Placement> turns;
};

/// What rules were asked of each SM.
struct Asked {
  explicit Asked(const Device& device)
      // As long as only clusters were placed nobody asked the selection.
      : selection(device.sms, RuleInputs(std::size(Selection::names))), admission(device.sms) {}

  std::vector<RuleInputs> selection;
  std::vector<RuleInputs> admission;
  SmEvents events;
  std::map<int, RuleInputs> queue;  ///< by how many joined before the kernel; since the last turn
};

/// The prediction that has each block go where it was seen to go.
class Followed : public Prediction {
 public:
  Followed(const Device& device, const Hypothesis& mechanism, Asked& asked)
      : Prediction(device, mechanism), asked_(asked) {}

  const std::vector<Kernel>* kernels = nullptr;  ///< of the probe
  /// Where the kernel's next block of this step went, or so many behind it, if that started.
  std::function<std::optional<int>(int kernel, int behind)> next;
  std::function<const std::vector<int>&()> queue;  ///< kernels, as they joined
  bool is_latest_known = true;                     ///< which kernel got the latest block
  Decided decided;

  /// What an SM is asked for is noted each time, though the answer is known.
  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    if constexpr (std::is_same_v<Rule, Admits>) {
      return what_if(rule, states...);
    } else {
      return Prediction::apply(rule, states...);
    }
  }

  void picks(int kernel, const auto&) {
    kernel_ = kernel;
    const bool gets_one = next(kernel, 0).has_value();
    cluster_waits_ = (*kernels)[kernel].cluster && !gets_one;
    if (gets_one) note_turn(kernel);
  }
  /// The first that is decided once a cluster is tried is whether any GPC takes it.
  bool decide(bool condition) { return !std::exchange(cluster_waits_, false) && condition; }
  void placed(int, int, int, const Warps&) const {}

  bool any(const Options& options) {
    if (!options.any()) return false;
    const auto sm = next(kernel_, 0);
    if (!sm) note(options, Placement::kWaits);
    return sm.has_value();
  }
  int pick(const Options& options, int, const Entry&, const auto&) {
    const int sm = *next(kernel_, 0);
    if (!options[sm].eligible) throw Ends();
    note(options, sm);
    return sm;
  }

  // A cluster goes to the GPC where it was seen, and there to its SMs.
  int pick_ranked(const Members& gpcs, const Entry&, const auto& allowed) {
    taken_.clear();
    passed_over_.clear();
    const auto gpc = std::ranges::find_if(
        gpcs, [&](const auto& each) { return each.eligible && allowed(each.id); });
    if (gpc == gpcs.end()) throw Ends();
    return gpc->id;
  }
  bool may_place_among(int sm, int blocks) {
    asked_of_ = sm;
    int seen = 0;
    for (int behind = 0; behind < blocks; ++behind) seen += next(kernel_, behind) == sm;
    return seen > std::ranges::count(taken_, sm);
  }
  bool decide_as_seen(bool fits, bool seen) {
    if (seen && !fits) throw Ends();
    if (!fits) return false;
    passed_over_.push_back({0, asked_.selection[asked_of_], asked_.admission[asked_of_]});
    if (!seen) return false;
    taken_.push_back(asked_of_);
    Placement& placement = decided.placements.emplace_back();
    placement.of_cluster = true;
    placement.after = asked_.events.size();
    placement.eligible = std::exchange(passed_over_, {});
    placement.chosen = static_cast<int>(placement.eligible.size()) - 1;
    return true;
  }

  // Of the members of a group: there is none.
  using Prediction::any;
  using Prediction::pick;

 private:
  void note(const Options& options, int chosen) {
    Placement& placement = decided.placements.emplace_back();
    placement.after = asked_.events.size();
    for (const auto& option : options) {
      if (!option.eligible) continue;
      if (option.id == chosen) placement.chosen = static_cast<int>(placement.eligible.size());
      placement.eligible.push_back(
          {option.rank, asked_.selection[option.id], asked_.admission[option.id]});
    }
  }

  void note_turn(int kernel) {
    const auto inputs = std::exchange(asked_.queue, {});
    const std::vector<int>& queued = queue();
    if (inputs.size() != queued.size()) return;
    Placement turn;
    turn.after = asked_.events.size();
    turn.is_latest_known = is_latest_known;
    for (auto of_kernel = inputs.begin(); const int each : queued) {
      const auto& [joined, choice] = *of_kernel++;
      // A cluster that waits may be passed by others.
      if (each != kernel && ((*kernels)[each].cluster || next(each, 0))) continue;
      if (each == kernel) turn.chosen = static_cast<int>(turn.eligible.size());
      turn.eligible.push_back({joined, choice, {}});
    }
    decided.turns.push_back(std::move(turn));
  }

  Asked& asked_;
  int kernel_ = 0;
  // Of a cluster:
  bool cluster_waits_ = false;
  int asked_of_ = 0;  ///< an SM
  std::vector<int> taken_;
  std::vector<Contender> passed_over_;
};

/// A rule that says the same of all SMs or kernels, and keeps what it was asked of each, by the
/// name that numbers them.
template <class Axis>
TrialValue noting(auto& asked, NameOf<Axis> number, int says) {
  return {index_of<Axis>(),
          [&asked, number, says](std::span<const int> names) {
            asked[names[number]].assign(names.begin(), names.end());
            return says;
          },
          ~0u};
}

/// A rule that writes nothing down, and keeps what happened.
TrialValue noting_events(SmEvents& events) {
  return {index_of<Mark>(),
          [&events](std::span<const int> names) {
            Seen<Mark, int> event;
            std::ranges::copy(names, event.values.begin());
            if (event["sm"] == event["at"]) events.push_back(event);
            return 0;
          },
          ~0u};
}

/// Follows the recordings of a session, one after the other.
class Follower {
 public:
  Follower(const Device& device, const Hypothesis& mechanism, Asked& asked)
      : asked_(asked), reading_(device, mechanism, asked), scheduler_(reading_, device) {
    reading_.next = [this](int kernel, int behind) -> std::optional<int> {
      const std::vector<int>& sms = seen_[kernel];
      const auto at =
          static_cast<std::size_t>(scheduler_.places(kernel) - before_[kernel] + behind);
      return at < sms.size() ? std::optional(sms[at]) : std::nullopt;
    };
    reading_.queue = [this]() -> const std::vector<int>& { return scheduler_.queue(); };
  }

  void follow(const Recording& recording) {
    if (recording.opening) scheduler_.adopt(*recording.opening);
    const Probe& probe = recording.probe;
    scheduler_.begin(probe);
    reading_.kernels = &probe.kernels;
    asked_.queue.clear();
    reading_.is_latest_known = true;
    const int kernels = static_cast<int>(probe.kernels.size());
    for (int step = 0; step < std::ssize(probe.script); ++step) {
      seen_.assign(kernels, {});
      before_.clear();
      for (int k = 0; k < kernels; ++k) before_.push_back(scheduler_.places(k));
      for (const Fact& fact : recording.facts) {
        if (fact.step == step) see(fact);
      }
      const auto starting =
          std::ranges::count_if(seen_, [](const auto& sms) { return !sms.empty(); });
      if (starting > 1) reading_.is_latest_known = false;
      const Action& action = probe.script[step];
      action.launch ? scheduler_.launch(*action.launch) : scheduler_.release(action.releases);
      for (int k = 0; k < kernels; ++k) {
        if (scheduler_.places(k) != before_[k] + std::ssize(seen_[k])) throw Ends();
      }
      if (starting == 1) reading_.is_latest_known = true;
    }
    scheduler_.drain();
  }

  Decided decided() { return std::move(reading_.decided); }

 private:
  void see(const Fact& fact) {
    using Kind = Fact::Kind;
    if (fact.kind == Kind::sm) seen_[fact.kernel] = fact.values;
    const bool none_started = fact.kind == Kind::started && fact.values.front() == 0;
    if (fact.kind != Kind::sm && fact.kind != Kind::warp_slot && !none_started) throw Ends();
  }

  Asked& asked_;
  Followed reading_;
  Scheduler<Followed> scheduler_;
  std::vector<std::vector<int>> seen_;  ///< in this step, by kernel
  std::vector<int> before_;             ///< blocks that had a place when it began, by kernel
};

Decided decided_in(const Device& device, const Hypothesis& mechanism, const Session& session,
                   Asked& asked) {
  // Where blocks are numbered afterwards, which was chosen first does not show.
  if (mechanism.get<Hierarchy>() != Hierarchy::flat || leaves_open(mechanism) ||
      mechanism.get<Numbering>() != Numbering::as_chosen ||
      mechanism.get<ClusterGpc>() == ClusterGpc::pass_by_pass) {
    return {};
  }
  const TrialValue chooses = noting<Selection>(asked.selection, "sm", 0);
  const TrialValue admits = noting<Admission>(asked.admission, "sm", 1);
  Hypothesis followed = mechanism.with(index_of<Selection>(), chooses.value())
                            .with(index_of<Admission>(), admits.value());
  const TrialValue notes = noting_events(asked.events);
  if (mechanism.get<Mark>() == Mark::none) {
    followed = followed.with(index_of<Mark>(), notes.value());
  }
  Follower follower(device, followed, asked);
  try {
    for (const Recording& recording : session) follower.follow(recording);
  } catch (const Ends&) {
  }
  Decided decided = follower.decided();
  const auto events = std::make_shared<const SmEvents>(std::move(asked.events));
  for (std::vector<Placement>* of : {&decided.placements, &decided.turns}) {
    for (Placement& each : *of) each.events = events;
  }
  return decided;
}

}  // namespace

std::vector<Placement> placements_of(const Device& device, const Hypothesis& mechanism,
                                     const Session& session) {
  Asked asked(device);
  return decided_in(device, mechanism, session, asked).placements;
}

std::vector<Placement> turns_of(const Device& device, const Hypothesis& mechanism,
                                const Session& session) {
  if (mechanism.get<Queue>() != Queue::fifo) return {};
  Asked asked(device);
  const TrialValue orders = noting<Priority>(asked.queue, "joined", 0);
  Hypothesis followed = mechanism.with(index_of<Priority>(), orders.value());
  // Who gets no block in the step is passed over, whoever joined first.
  followed.values[index_of<Queue>()] = Queue::skip_ahead;
  return decided_in(device, followed, session, asked).turns;
}

}  // namespace cuvier
