#pragma once

// Which block goes where next: scheduler.md, 3 and 4. What a single SM answers is another's.

#include "verify/topology.h"
#include "verify/way.h"

namespace cuvier::verify {

/// Whether a mechanism has not one outcome, but several.
bool has_drift(const Mechanism& mechanism);

/// Whether blocks are numbered GPC by GPC.
bool numbers_by_gpc(Way& way);

/// What `freed` is of an SM that no block left.
inline constexpr int kNeverFreed = 4096;

/// What `received` is at most.
inline constexpr int kMostReceived = 1 << 17;

/// What `mark` is at most.
inline constexpr long kMostMark = 1 << 17;

/// What `urgent` is of an SM without blocks.
inline constexpr int kNobodyUrgent = 4096;

/// What the choice of SMs remembers until the cursors return to their start. What only a name of
/// a formula reads is noted for rules that read it.
struct Cursors {
  std::vector<int> sms = {};  ///< by groups; empty: at their start
  int group = 0;
  std::vector<int> chosen = {};    ///< SMs, the latest last: `since`
  std::vector<int> freed = {};     ///< by SM: releases since a block left
  std::vector<int> received = {};  ///< by SM: warps
  int picks = 0;
  bool operator==(const Cursors&) const = default;
};

/// What outlives a probe within a session.
struct Outlasting {
  std::vector<Sm> sms;  ///< idle then, with their warp pointers
  Cursors cursors = {};
  int grown = 0;                              ///< local memory: the most that found the device idle
  int latest = 0;                             ///< and the latest
  std::vector<Domain<Configs>> domains = {};  ///< the TPCs, the SMs and the device
  std::array<int, 2> numbering = {-1, -1};    ///< the GPC of each kind that had the latest turn
  bool operator==(const Outlasting&) const = default;
};

/// A block of a kernel on an SM; -1 while it is not known which of the kernel's blocks it is.
struct Resident {
  int sm = 0;
  int kernel = 0;
  int block = -1;
  bool operator==(const Resident&) const = default;
};

/// Where a kernel's blocks were, in the order in which those that leave together do.
struct LeftAnSm {
  int sm = 0;
  int before = 0;  ///< kernels that joined before the kernel
  int kernel = 0;
  auto operator<=>(const LeftAnSm&) const = default;
};

/// A block that started.
struct Start {
  int kernel = 0;
  int block = 0;
  int place = 0;  ///< so manieth of the kernel in the step; -1: nobody knows yet
  int sm = 0;
  int place_on_sm = 0;
};

class Scheduler {
 public:
  /// The device is idle at the beginning of a probe. What is passed must outlive it.
  Scheduler(const Topology& topology, const Recording& recording, Outlasting before);

  /// What happened before the session that begins.
  void open(Way& way, const Opening& opening);
  void act(const Action& action, Tables& tables);
  /// One pick: places the next block, and those that go with it. Which blocks started is added to
  /// `starts`. False: it is stuck.
  bool advance(Way& way, std::vector<Start>& starts);

  /// Which blocks start next of those that have a place, whatever else happens.
  std::vector<Start> coming_starts() const;

  /// By SM, then as they came.
  const std::vector<Resident>& residents() const { return resident_; }
  /// Blocks of a kernel that started before the step, and in all.
  int started_before(int kernel) const { return kernels_[kernel].started_before; }
  int started(int kernel) const { return kernels_[kernel].started; }
  const Outlasting& outlasting() const { return outlasting_; }
  /// Both go on alike, as long as they are answered alike.
  bool operator==(const Scheduler&) const = default;

 private:
  struct Pick {
    int sm = 0;
    int blocks = 0;  ///< that it has not given out
    int round = -1;  ///< under numbering=by_gpc
    int pass = 0;    ///< of a cluster, under cluster_gpc=pass_by_pass; from 1 on
    bool operator==(const Pick&) const = default;
  };
  /// How far a kernel is with its clusters.
  struct Pass {
    int number = 0;
    int latest = -1;             ///< place in a pass of the GPC that got the latest one
    std::vector<long> key = {};  ///< that it had
    bool operator==(const Pass&) const = default;
  };
  struct KernelState {
    bool joined = false;
    int before = 0;     ///< kernels that joined before it
    int joined_at = 0;  ///< after so many actions
    int slot = 0;       ///< while it runs
    int placed = 0;     ///< places that were taken
    int started = 0;
    int started_before = 0;
    int exited = 0;
    int latest_sm = -1;            ///< where the latest place is
    int first_sm = -1;             ///< and the first
    std::vector<int> left_before;  ///< blocks without a place before each pick
    std::vector<Pick> in_flight;
    Formula::Key key;      ///< that the latest pick's SM had, under numbering=by_gpc
    bool goes_on = false;  ///< another SM has it, and only blocks were wanting
    int drifted = 0;       ///< so many more may be in flight
    bool pairs_are_over = false;
    Pass pass;
    /// Where it has no blocks left they do not matter any more.
    void forget_picks() {
      latest_sm = first_sm = -1;
      left_before.clear();
    }
    bool operator==(const KernelState&) const = default;
  };
  /// On which SMs kernels are tried.
  enum class Open { none, lone_tpcs, all };
  struct Turn {
    int kernel = -1;
    int group = 0;
    std::vector<int> used;
    bool operator==(const Turn&) const = default;
  };

  const Kernel& kernel(int k) const { return recording_->probe.kernels[k]; }
  bool runs(int k) const { return kernels_[k].joined && kernels_[k].exited < kernel(k).blocks; }
  int resident(int k) const { return kernels_[k].placed - kernels_[k].exited; }
  int left(int k) const { return kernel(k).blocks - kernels_[k].placed; }
  const Sm& at(int sm) const { return outlasting_.sms[sm]; }
  auto residents_on(int sm) const {
    return std::ranges::equal_range(resident_, sm, {}, &Resident::sm);
  }
  long own_blocks_on(int sm, int k) const {
    return std::ranges::count(residents_on(sm), k, &Resident::kernel);
  }
  long kernels_beside(int sm, int k) const {
    std::set<int> others;
    for (const Resident& each : residents_on(sm)) others.insert(each.kernel);
    others.erase(k);
    return std::ssize(others);
  }
  /// Of a kernel; -1: of all.
  long blocks_on(const std::vector<int>& sms, int k = -1) const {
    long blocks = 0;
    for (const int sm : sms) blocks += k < 0 ? at(sm).blocks : own_blocks_on(sm, k);
    return blocks;
  }
  const std::vector<int>& tpc_of(int sm) const { return topology_->mates(topology_->tpcs, sm); }
  long marked() const { return std::ssize(marks_) - std::ranges::count(marks_, 0); }
  /// Where the domains are that an SM is in.
  std::array<int, 3> domains_of(int sm) const {
    const int tpcs = topology_->tpcs.count();
    return {topology_->tpcs.of_sm[sm], tpcs + sm, tpcs + topology_->device.sms};
  }
  Domains around(int sm) const {
    const auto [of_tpc, of_sm, of_device] = domains_of(sm);
    const auto& domains = outlasting_.domains;
    return {{domains[of_tpc], domains[of_sm], domains[of_device]}};
  }
  const Groups& groups(Way& way) const {
    return topology_->in_order(way.value("tie_break"), way.value("hierarchy"));
  }
  void forget_emptied();
  bool admit(Way& way);
  bool on_one_connection(Way& way, int k, int other) const;
  void release(const std::vector<Action::Release>& releases, Tables& tables);
  std::vector<int> queue_in_order(Way& way) const;
  bool tried_behind(Way& way, int head, int k, int behind) const;
  Open left_open_by(Way& way, int k) const;
  bool is_open(int sm) const { return !on_lone_tpcs_ || topology_->number_groups[sm].kind == 0; }
  int free_slots(int sm) const { return topology_->device.max_blocks_per_sm - at(sm).blocks; }
  bool fits(Way& way, int sm, int k) const;
  bool lets_in(Way& way, int sm, int k, int more) const;
  bool local_memory_lets(Way& way, int k);
  void reset_cursors(Way& way, int k);
  bool attempt(Way& way, int k);
  void take_place(Way& way, int k, int sm);
  void mark(Way& way, int at_sm, int k, int more);
  void configure(ConfigTable& table, int sm, int k, const Domains& before);
  void leave_domains(ConfigTable& table, int sm);

  // Sections 2 to 4 (choice.cpp).
  int choose(Way& way, int k);
  int choose_group(Way& way, int k);
  using Key = std::function<Formula::Key(int)>;
  int turn_of(Way& way, int sm);
  Key key_for(Way& way, int k);
  int select(Way& way, int k, int group, const std::vector<int>& used);
  Key key_of_round(Way& way, int k);
  bool would_go_on(Way& way, int k);
  void moved_to(Way& way, int sm);
  void group_moved_to(Way& way, int sm);
  double usage(Way& way, int sm, int k) const;

  // Batches (batches.cpp).
  int pick_size(Way& way, int k);
  bool pairs(Way& way, int k);
  long most_in_flight(Way& way, int k, int pick) const;
  bool drifts(Way& way, int k) const;
  void pick_ends(Way& way, int k, std::vector<Start>& starts);
  void give_one(int k, std::vector<Start>& starts);
  void give_all(int k, std::vector<Start>& starts);

  // Numbers by GPC (numbering.cpp).
  int round_of(Way& way, int k);
  /// By group, then SM.
  using WaitingPlaces = std::map<int, std::map<int, int>>;
  int next_in_ring(const WaitingPlaces& groups, int behind) const;
  std::vector<int> in_rounds(int k, bool is_end, std::array<int, 2>& latest) const;
  void give_all_in_rounds(int k, std::vector<Start>& starts);
  void sort_round(int k);
  void add_coming_in_rounds(int k, std::vector<Start>& coming) const;

  // Clusters (clusters.cpp).
  std::vector<int> choose_cluster(Way& way, int k);
  std::vector<int> cluster_on(Way& way, int k, int gpc) const;
  int left_for_clusters(Way& way, int sm) const;

  // Pass by pass (passes.cpp).
  struct Offer;
  std::vector<int> next_in_pass(Way& way, int k);
  Offer lowest_on(Way& way, int k, int gpc) const;
  Offer offer_of(Way& way, int k, int gpc) const;
  bool takes_of_cluster(Way& way, int sm, int k) const;
  std::vector<long> pass_key(Way& way, int k, const std::vector<int>& sms) const;
  void give_pass(int k, std::vector<Start>& starts);

  const Topology* topology_;
  const Recording* recording_;
  std::vector<KernelState> kernels_;
  std::vector<int> launched_;
  std::vector<int> waiting_;   ///< of these, not joined
  bool has_launched_ = false;  ///< since it was last asked who may join
  std::vector<int> queue_;     ///< joined, with blocks left, in the order of joining
  int joined_ = 0;             ///< kernels that ever did
  int actions_ = 0;            ///< launches and releases
  int latest_ = -1;            ///< the kernel that got the latest block
  int streak_ = 0;             ///< blocks that it got in a row
  int head_ = -1;              ///< the kernel that was tried first when some were last tried
  std::vector<Resident> resident_;
  bool on_lone_tpcs_ = false;  ///< alone: the kernel that is tried
  Outlasting outlasting_;
  std::vector<int> marks_;        ///< by SM
  std::map<LeftAnSm, int> gone_;  ///< blocks that left with the action
  Turn turn_;
  Formula::Key latest_key_;      ///< of the SM that was chosen last
  int cluster_gpc_ = -1;         ///< of the latest cluster since the device was idle
  int block_gpc_ = -1;           ///< of the latest block since then
  int cluster_gpc_kernel_ = -1;  ///< of the latest cluster since a kernel began
};

/// The first of the candidates with the smallest key that can. Keys that ask SMs are asked of those
/// alone which can.
int first_of(std::vector<int> candidates, bool key_asks, const auto& key, const auto& can) {
  if (key_asks) std::erase_if(candidates, [&](int each) { return !can(each); });
  std::vector<std::pair<decltype(key(0)), int>> left;
  left.reserve(candidates.size());
  for (const int each : candidates) left.emplace_back(key(each), each);
  while (!left.empty()) {
    const auto first = std::ranges::min_element(
        left, {}, [](auto& each) -> auto& { return each.first; });
    if (key_asks || can(first->second)) return first->second;
    left.erase(first);
  }
  return -1;
}

}  // namespace cuvier::verify
