#pragma once

#include "hypotheses/concrete.h"
#include "hypotheses/scheduler.h"
#include "probes/observation.h"

namespace cuvier {

/// The concrete reading of the scheduler: one hypothesis, integers.
class Prediction {
 public:
  using Int = int;
  using Bool = bool;
  using Warps = WarpFile<Concrete>;
  using Shared = SharedMemory<Concrete>;

  Prediction(const Device& device, const Hypothesis& hypothesis);

  Warps idle_warps() const { return {}; }
  Shared idle_shared() const { return {}; }
  int constant(int value) const { return value; }
  bool never() const { return false; }

  template <class Rule, class... States>
  auto apply(const Rule& rule, States&&... states) const {
    return rule(Concrete{hypothesis_}, std::forward<States>(states)...);
  }

  bool decide(bool condition) const { return condition; }
  bool certain(bool condition) const { return condition; }
  template <class A>
  typename A::Value resolve() const {
    return hypothesis_.get<A>();
  }

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

  const std::vector<int>& sm_ranks() const { return sm_ranks_; }
  std::vector<int> group_ranks(const std::vector<std::vector<int>>& groups) const {
    return group_ranks_of(groups, sm_ranks_);
  }
  int rank_after(const std::vector<int>& ranks, int id, int cursor, int skip, int) const {
    return rank_after_cursor(ranks, id, cursor, skip);
  }
  template <class Candidates>
  const typename Candidates::value_type* at_cursor(const Candidates& candidates) const {
    return &*std::ranges::min_element(candidates, {}, &Candidates::value_type::rank);
  }

  bool may_place(int, int, int) const { return true; }
  void placed(int kernel, int block, int sm, const Warps& warps);

  /// What was placed since the last call.
  Step take_step();

 private:
  Hypothesis hypothesis_;
  std::vector<int> sm_ranks_;
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

}  // namespace cuvier
