#pragma once

#include <algorithm>
#include <tuple>

#include "hypotheses/concrete.h"
#include "hypotheses/moments.h"
#include "hypotheses/rule_memo.h"
#include "hypotheses/scheduler.h"
#include "hypotheses/single_reading.h"
#include "hypotheses/state_pool.h"
#include "probes/fact.h"
#include "probes/observation.h"

namespace cuvier {

/// A state of an SM, by its number in a pool.
template <class State>
struct Numbered {
  int number = 0;
  bool operator==(const Numbered&) const = default;
  std::size_t hash() const { return static_cast<std::size_t>(number); }
};

/// The concrete reading of the scheduler: one hypothesis, integers. SMs of one history are in one
/// state, which has a number; a rule is evaluated once for each state of a probe.
class Prediction : public SingleReading {
 public:
  using Int = int;
  using Bool = bool;
  using Warps = Numbered<WarpFile<Concrete>>;
  using Shared = Numbered<SharedMemory<Concrete>>;

  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Prediction(const Device& device, const Hypothesis& hypothesis);

  void begins() { results_.clear(); }

  Warps idle_warps() const { return {}; }
  Shared idle_shared() const { return {}; }
  int constant(int value) const { return value; }
  bool never() const { return false; }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    return apply_under(hypothesis(), rule, states...);
  }

  /// What the rule makes of the states, without remembering it: for kernels of no probe.
  template <class Rule, class... States>
  auto what_if(const Rule& rule, const States&... states) const {
    return evaluate(rule, Concrete{hypothesis()}, state(states)...);
  }

  bool decide(bool condition) const { return condition; }
  bool certain(bool condition) const { return condition; }

  using Options = Tournament;
  using Members = std::vector<Option<int, bool>>;  ///< few

  bool any(const Options& options) const { return options.any(); }
  int pick(const Options& options, int, const Entry& entry, const auto&) const {
    return options.least(entry);
  }
  const Option<int, bool>& at_cursor(const Options& options, const Entry& entry) const {
    return options.first(entry);
  }
  using SingleReading::at_cursor;
  bool any(const Members& members) const {
    return std::ranges::any_of(members, &Option<int, bool>::eligible);
  }
  int pick(const Members& members, int, const Entry& entry, const auto&) const {
    const auto order = [&](const Option<int, bool>& o) {
      return std::tuple(!o.eligible, o.key, entry.turn(o.rank));
    };
    return std::ranges::min_element(members, {}, order)->id;
  }

  int pick_ranked(const Members& members, const Entry& entry, const auto& allowed) const {
    return pick(members, 0, entry, allowed);
  }
  bool decide_as_seen(bool condition, bool) const { return condition; }

  /// In this step, these decide what nobody controls.
  void begin_step(int step, Moments& moments) {
    step_ = step;
    moments_ = &moments;
  }
  bool another_joins(int kernel, int sm, int in_flight) {
    return moments_ && moments_->another_joins(moment_at(kernel, sm, 0, in_flight));
  }
  bool counts_late(int kernel, int sm, int before, int in_flight) {
    return moments_ && moments_->counts_late(moment_at(kernel, sm, before, in_flight));
  }

  void placed(int kernel, int block, int sm, const Warps& warps);

  /// What was placed since the last call.
  Step take_step();

  /// The numbers here of another one's states.
  std::vector<Warps> taken_over(const Prediction& other, std::vector<Warps> files);

  template <class State>
  Numbered<State> taken_over(const Prediction& other, Numbered<State> state) {
    return {number_of(other.state(state))};
  }

  /// How many states there are, of warps or shared memory.
  int states() const { return std::max(warp_files_.size(), shared_memories_.size()); }

 protected:
  template <class Rule, class... States>
  auto apply_under(const Hypothesis& hypothesis, const Rule& rule, const States&... states) {
    using Result = decltype(evaluate(rule, Concrete{hypothesis}, state(states)...));
    constexpr bool has_state = !(std::is_arithmetic_v<States> && ...);
    if constexpr (!has_state) {
      return evaluate(rule, Concrete{hypothesis}, states...);
    } else {
      const int result = results_.recall(rule, {number(states)...}, [&] {
        return number_of(evaluate(rule, Concrete{hypothesis}, state(states)...));
      });
      if constexpr (std::is_arithmetic_v<Result>) {
        return static_cast<Result>(result);
      } else {
        return Numbered<Result>{result};
      }
    }
  }

 private:
  const WarpFile<Concrete>& state(Warps warps) const { return warp_files_[warps.number]; }
  const SharedMemory<Concrete>& state(Shared shared) const {
    return shared_memories_[shared.number];
  }
  static int state(int value) { return value; }
  static int number(int value) { return value; }
  template <class State>
  static int number(Numbered<State> state) {
    return state.number;
  }
  static int number_of(int value) { return value; }
  int number_of(WarpFile<Concrete> file) { return warp_files_.intern(std::move(file)); }
  int number_of(SharedMemory<Concrete> memory) {
    return shared_memories_.intern(std::move(memory));
  }

  Moment moment_at(int kernel, int sm, int before, int in_flight) const;

  StatePool<WarpFile<Concrete>> warp_files_;
  StatePool<SharedMemory<Concrete>> shared_memories_;
  RuleMemo<int> results_;
  std::map<int, Started> started_;
  int step_ = 0;
  Moments* moments_ = nullptr;  ///< none: nothing that nobody controls happens
};

/// A device that follows one hypothesis: predicts, probe after probe, with the
/// state that survives between them. Copies are independent of each other.
class Simulator {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Simulator(const Device& device, const Hypothesis& hypothesis);
  Simulator(const Simulator& other);
  Simulator& operator=(const Simulator&) = delete;

  /// Forgets all that survives between probes; then it is as the opening left it, if there is one.
  void begin_session(const Opening* opening = nullptr);

  /// Runs a recording's probe, where it ran: in a session that it begins if it is fresh. Of the
  /// outcomes that the hypothesis has, it shows the one that comes nearest to the recording.
  Observation replay(const Recording& recording);

  /// Runs a probe that is legal on the device. `warp_slot` holds the subpartition of
  /// each warp, `shared_config` each launched kernel's preferred configuration. Of the outcomes
  /// that the hypothesis has, it shows the one that these moments bring about.
  Observation run(const Probe& probe, Moments& moments);
  /// Where nothing that nobody controls happens.
  Observation run(const Probe& probe);

  /// What run() would show, without running it.
  Observation preview(const Probe& probe, Moments& moments);
  Observation preview(const Probe& probe);

  /// Of what run() might show, what comes nearest to these facts, without running it.
  Observation nearest(const Probe& probe, const std::vector<Fact>& facts);

  const Device& device() const { return device_; }
  const Hypothesis& hypothesis() const { return hypothesis_; }

 private:
  /// Runs a probe, and leaves its blocks where they are then.
  Observation begin(const Probe& probe, Moments& moments);

  /// The moments that bring that about.
  SeenMoments moments_nearest(const Probe& probe, const std::vector<Fact>& facts);

  /// Where there are many, forgets the states that no SM is in. For an idle device.
  void drop_states();

  Device device_;
  Hypothesis hypothesis_;
  Prediction prediction_;
  Scheduler<Prediction> scheduler_;
};

/// The outcome of one probe in a fresh session.
Observation predict(const Device& device, const Hypothesis& hypothesis, const Probe& probe);

/// Brings a simulator into the state in which the latest session of these recordings ended.
void replay_session(const std::vector<Recording>& recordings, Simulator& simulator);

}  // namespace cuvier
