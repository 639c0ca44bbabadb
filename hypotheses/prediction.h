#pragma once

#include "hypotheses/concrete.h"
#include "hypotheses/scheduler.h"
#include "hypotheses/single_reading.h"
#include "probes/fact.h"
#include "probes/observation.h"

namespace cuvier {

/// The concrete reading of the scheduler: one hypothesis, integers.
class Prediction : public SingleReading {
 public:
  using Int = int;
  using Bool = bool;
  using Warps = WarpFile<Concrete>;
  using Shared = SharedMemory<Concrete>;

  using SingleReading::SingleReading;

  Warps idle_warps() const { return {}; }
  Shared idle_shared() const { return {}; }
  int constant(int value) const { return value; }
  bool never() const { return false; }

  template <class Rule, class... States>
  auto apply(const Rule& rule, States&&... states) const {
    return evaluate(rule, Concrete{hypothesis()}, std::forward<States>(states)...);
  }

  bool decide(bool condition) const { return condition; }
  bool certain(bool condition) const { return condition; }

  template <class Candidates>
  bool any(const Candidates& candidates) const {
    return std::ranges::any_of(candidates, [](const auto& c) { return c.eligible; });
  }
  template <class Candidates>
  int pick(const Candidates& candidates, int) const {
    const typename Candidates::value_type* best = nullptr;
    for (const auto& c : candidates) {
      if (!c.eligible) continue;
      if (!best || c.key < best->key || (c.key == best->key && c.rank < best->rank)) best = &c;
    }
    return best->id;
  }

  void placed(int kernel, int block, int sm, const Warps& warps);

  /// What was placed since the last call.
  Step take_step();

 private:
  std::map<int, Started> started_;
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

  /// Runs a recording's probe, where it ran: in a session that it begins if it is fresh.
  Observation replay(const Recording& recording);

  /// Runs a probe that is legal on the device. `warp_slot` holds the subpartition of
  /// each warp, `shared_config` each launched kernel's preferred configuration.
  Observation run(const Probe& probe);

  /// What run() would show, without running it.
  Observation preview(const Probe& probe);

  const Device& device() const { return device_; }
  const Hypothesis& hypothesis() const { return hypothesis_; }

 private:
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
