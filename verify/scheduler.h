#pragma once

// Which block goes where next: scheduler.md, 3 and 4. What a single SM answers is another's.

#include <set>
#include <vector>

#include "verify/topology.h"
#include "verify/way.h"

namespace cuvier::verify {

/// Whether a mechanism has not one outcome, but several.
bool has_drift(const Mechanism& mechanism);

/// What outlives a probe within a session, beside the SMs' warp pointers.
struct Outlasting {
  std::vector<int> cursors;  ///< by groups; empty: at their start
  int group_cursor = 0;
  std::vector<int> chosen;  ///< SMs, the latest last; with a rule that reads `since`
  int grown = 0;            ///< local memory: the most that found the device idle
  int latest = 0;           ///< and the latest
  bool operator==(const Outlasting&) const = default;
};

/// What a session begins with that opened so.
Outlasting after(const Opening& opening, const Topology& topology, Way& way);

/// A block of a kernel on an SM; -1 while it is not known which of the kernel's blocks it is.
struct Resident {
  int kernel = 0;
  int block = -1;
  bool operator==(const Resident&) const = default;
};

/// A block that started.
struct Start {
  int kernel = 0;
  int block = 0;
  int sm = 0;
  int place = 0;  ///< among the blocks of the SM
};

/// Where a dispatch put blocks: one, or a whole cluster; none: it is stuck.
struct Placed {
  int kernel = -1;
  std::vector<int> sms;
};

class Scheduler {
 public:
  /// The device is idle at the beginning of a probe. What is passed must outlive it.
  Scheduler(const Topology& topology, const Probe& probe, const Outlasting& before);

  void launch(int kernel);
  /// The places of the blocks that leave, by SM: ascending.
  std::vector<std::vector<int>> release(const Action& action);
  /// Places the next block; which blocks started is added to `starts`.
  Placed advance(Way& way, std::vector<Start>& starts);

  /// Which blocks start next of those that have a place, whatever else happens.
  std::vector<Start> coming_starts() const;

  bool device_is_idle() const { return state_.resident == 0; }
  const std::vector<Resident>& residents(int sm) const { return state_.on_sm[sm]; }
  int blocks_started(int kernel) const { return state_.kernels[kernel].started; }
  ConfiguredBy configured_by(int sm) const {
    return {state_.first_on_tpc[topology_->tpcs.of_sm[sm]], state_.first_on_sm[sm],
            state_.first_on_device};
  }
  const Outlasting& outlasting() const { return state_.outlasting; }
  /// Both go on alike, as long as they are answered alike.
  bool operator==(const Scheduler& other) const { return state_ == other.state_; }

 private:
  struct Pick {
    int sm = 0;
    int blocks = 0;  ///< that it has not given out
    bool operator==(const Pick&) const = default;
  };
  struct KernelState {
    bool joined = false;
    int before = 0;   ///< kernels that joined before it
    int placed = 0;   ///< places that were taken
    int started = 0;  ///< blocks that started
    int exited = 0;
    int latest_sm = -1;            ///< where the latest place is
    std::vector<int> left_before;  ///< blocks without a place before each pick
    std::vector<Pick> in_flight;
    int drifted = 0;  ///< so many more may be in flight
    bool pairs_are_over = false;
    bool operator==(const KernelState&) const = default;
  };
  struct Turn {
    int kernel = -1;
    int group = 0;
    std::vector<int> used;
    bool operator==(const Turn&) const = default;
  };
  struct State {
    std::vector<KernelState> kernels;
    std::vector<int> waiting;  ///< launched, not joined
    std::vector<int> queue;    ///< joined, with blocks left, in the order of joining
    int joined = 0;            ///< kernels that ever did
    std::vector<std::vector<Resident>> on_sm;
    std::vector<int> warps;          ///< by SM
    std::vector<int> first_on_sm;    ///< whose block came when it was idle; -1: it is idle
    std::vector<int> first_on_tpc;   ///< by TPC
    std::vector<int> blocks_on_tpc;  ///< the same
    int first_on_device = -1;
    int resident = 0;
    Outlasting outlasting;
    Turn turn;
    int more_of = -1;             ///< the kernel whose latest pick may take more blocks,
    int more = 0;                 ///< so many
    int cluster_gpc = -1;         ///< of the latest cluster since the device was idle
    int block_gpc = -1;           ///< of the latest block since then
    int cluster_gpc_kernel = -1;  ///< of the latest cluster since a kernel began
    bool operator==(const State&) const = default;
  };

  const Kernel& kernel(int k) const { return probe_->kernels[k]; }
  bool runs(int k) const {
    return state_.kernels[k].joined && state_.kernels[k].exited < kernel(k).blocks;
  }
  int left(int k) const { return kernel(k).blocks - state_.kernels[k].placed; }
  int blocks_on(int sm) const { return static_cast<int>(state_.on_sm[sm].size()); }
  long kernels_beside(int sm, int k) const {
    std::set<int> kernels;
    for (const Resident& each : state_.on_sm[sm]) kernels.insert(each.kernel);
    return std::ssize(kernels) - kernels.contains(k);
  }
  long own_blocks_on(int sm, int k) const {
    return std::ranges::count(state_.on_sm[sm], k, &Resident::kernel);
  }
  const Groups& groups(Way& way) const {
    return topology_->in_order(way.value("tie_break"), way.value("hierarchy"));
  }
  bool admit();
  std::vector<int> queue_in_order(Way& way) const;
  bool tried_behind(Way& way, int head, int k) const;
  bool fits(Way& way, int sm, int k) const;
  bool lets_in(Way& way, int sm, int k, int more) const;
  int room(Way& way, int sm, int k) const {
    return way.room(sm, k, configured_by(sm), topology_->device.max_blocks_per_sm - blocks_on(sm));
  }
  bool local_memory_lets(Way& way, int k);
  void reset_cursors(Way& way, int k);
  bool attempt(Way& way, int k, Placed& placed);
  void take_place(int k, int sm);

  // Sections 2 to 4 (choice.cpp).
  int choose(Way& way, int k);
  int choose_group(Way& way, int k);
  int select(Way& way, int k, int group, const std::vector<int>& used);
  double usage(Way& way, int sm, int k) const;

  // Batches (batches.cpp).
  int pick_size(Way& way, int k);
  bool pairs(Way& way, int k);
  int most_in_flight(Way& way, int k, int pick) const;
  bool drifts(Way& way, int k) const;
  void pick_ends(Way& way, int k, std::vector<Start>& starts);
  void give_one(int k, std::vector<Start>& starts);
  void give_all(int k, std::vector<Start>& starts);

  // Clusters (clusters.cpp).
  std::vector<int> choose_cluster(Way& way, int k);
  std::vector<int> cluster_on(Way& way, int k, int gpc) const;
  void cluster_went_to(Way& way, int gpc);

  const Topology* topology_;
  const Probe* probe_;
  State state_;
};

/// The first of the candidates with the smallest key that can. Keys that ask SMs are asked of those
/// alone which can.
int first_of(std::vector<int> candidates, bool key_asks, const auto& key, const auto& can) {
  if (key_asks) std::erase_if(candidates, [&](int each) { return !can(each); });
  for (const int each : by_key(candidates, key)) {
    if (key_asks || can(each)) return each;
  }
  return -1;
}

}  // namespace cuvier::verify
