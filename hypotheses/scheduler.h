#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "hypotheses/sm_rules.h"
#include "hypotheses/topology.h"

namespace cuvier {

/// What of the scheduler outlives a probe, beside the warp pointers: selection
/// cursors (the SM or group last chosen; -1: at the start) and the device's local memory.
struct Carry {
  std::vector<int> sm_cursors;  ///< by group of the hierarchy in force; one if flat
  int group_cursor = -1;
  int local_bytes = 0;

  bool at_start() const {
    return group_cursor < 0 && std::ranges::all_of(sm_cursors, [](int c) { return c < 0; });
  }
  bool operator==(const Carry&) const = default;
};

/// The one definition of the block scheduler (scheduler.md section 4), over a reading R:
///   R::Int, Bool, Warps, Shared   quantities and SM states in R's value domain
///   apply(rule, states...)        a rule of sm_rules.h in that domain
///   decide(Bool), resolve<Axis>() a branch: the hypothesis's in a prediction; a solver
///                                 follows each branch that some hypothesis takes
///   pick(candidates, node)        the eligible candidate with the least (key, rank)
///   may_place(kernel, block, sm)  whether what was observed allows it (true in a prediction)
///   placed(kernel, block, sm, warps)  is told of every placement
///   sm_ranks(), group_ranks(groups)   by the tie-break; empty: an order yet to be learned
template <class R>
class Scheduler {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;

  struct Candidate {
    int id;         ///< an SM, or a group
    Bool eligible;
    Int key;        ///< least first
    int rank;       ///< least first among equal keys
    bool allowed;   ///< by what was observed
  };

  Scheduler(R& reading, const Device& device)
      : reading_(reading),
        device_(device),
        zero_(reading.constant(0)),
        sms_(device.sms),
        changed_(device.sms, 0) {
    for (Sm& sm : sms_) {
      sm.warps = reading_.idle_warps();
      sm.shared = reading_.idle_shared();
    }
    tpc_domains_.resize(groups_of(device_, Hierarchy::tpc).size());
  }

  /// Begins a probe on an idle device. The probe must outlive it.
  void begin(const Probe& probe) {
    probe_ = &probe;
    kernels_.assign(probe.kernels.size(), {});
    waiting_.clear();
    queue_.clear();
    turn_ = {};
    for (int k = 0; k < static_cast<int>(probe.kernels.size()); ++k) {
      KernelState& state = kernels_[k];
      const OnKernel on{&device_, &probe.kernels[k], k};
      state.bytes = reading_.apply(SharedBytes{on});
      state.preferred = reading_.apply(PreferredConfig{on});
      state.view.assign(device_.sms, {});
    }
    ++clock_;
  }

  void launch(int k) {
    waiting_.push_back(k);
    admit();
    dispatch();
  }

  void release(const std::vector<Release>& releases) {
    for (const Release& r : releases) {
      const KernelState& k = kernels_[r.kernel];
      if (r.blocks.empty()) {
        for (int b = 0; b < k.next_block; ++b) free_block(r.kernel, b);
      } else {
        for (const int b : r.blocks) free_block(r.kernel, b);
      }
    }
    dispatch();
    if (admit()) dispatch();
  }

  /// Ends the probe: resident blocks exit, and what never started is forgotten.
  void drain() {
    queue_.clear();
    waiting_.clear();
    for (int k = 0; k < static_cast<int>(kernels_.size()); ++k) {
      for (int b = 0; b < kernels_[k].next_block; ++b) free_block(k, b);
    }
  }

  Int preferred_config_of(int k) const { return kernels_[k].preferred; }

  const Carry& carry() const { return carry_; }
  void set_carry(Carry carry) { carry_ = std::move(carry); }
  std::vector<typename R::Warps> warp_files() const {
    std::vector<typename R::Warps> files;
    for (const Sm& sm : sms_) files.push_back(sm.warps);
    return files;
  }
  void set_warp_files(const std::vector<typename R::Warps>& files) {
    for (int sm = 0; sm < device_.sms; ++sm) sms_[sm].warps = files[sm];
  }

 private:
  struct Resident {
    int kernel;
    int block;
  };

  /// A carve-out domain: how many blocks it holds, and the kernel that configured it.
  struct Domain {
    int blocks = 0;
    int setter = -1;

    void place(int kernel) {
      if (blocks++ == 0) setter = kernel;
    }
  };

  struct Sm {
    typename R::Warps warps;
    typename R::Shared shared;
    std::vector<Resident> residents;  ///< in order of arrival
    int resident_warps = 0;
    Domain domain;
  };

  /// What a kernel finds on an SM, as long as nothing there changes.
  struct View {
    int fits_at = 0;  ///< clock at which `fits` was computed
    int room_at = 0;
    Bool fits{};
    Int config{};
    Int room_key{};
  };

  struct KernelState {
    int next_block = 0;
    int resident = 0;
    std::vector<int> sm_of_block;
    std::vector<int> left_at_pick;  ///< blocks not yet placed just before each pick
    Int bytes{};
    Int preferred{};
    std::vector<View> view;  ///< by SM
  };

  /// A group's turn under GroupTurn::each_sm_once.
  struct Turn {
    int kernel = -1;
    int group = -1;
    std::vector<int> used;
  };

  const Kernel& kernel(int k) const { return probe_->kernels[k]; }
  OnKernel on(int k) const { return {&device_, &kernel(k), k}; }
  int left(int k) const { return kernel(k).blocks - kernels_[k].next_block; }

  // -- the queue ------------------------------------------------------------

  bool stream_ready(int k) const {
    if (!kernel(k).stream) return true;
    for (const Action& action : probe_->script) {
      if (!action.launch) continue;
      const int earlier = *action.launch;
      if (earlier == k) return true;
      if (kernel(earlier).stream == kernel(k).stream &&
          (left(earlier) > 0 || kernels_[earlier].resident > 0)) {
        return false;
      }
    }
    return true;
  }

  int kernels_in_flight() const {
    int count = 0;
    for (int k = 0; k < static_cast<int>(kernels_.size()); ++k) {
      count += kernels_[k].resident > 0 || std::ranges::find(queue_, k) != queue_.end();
    }
    return count;
  }

  /// Lets launched kernels join the queue; true if any did.
  bool admit() {
    bool joined = false;
    for (auto k = waiting_.begin(); k != waiting_.end();) {
      if (!stream_ready(*k)) {
        ++k;
        continue;
      }
      if (kernels_in_flight() >= device_.max_resident_kernels) break;
      queue_.push_back(*k);
      k = waiting_.erase(k);
      joined = true;
    }
    return joined;
  }

  /// The queue in the order in which it is tried.
  std::vector<int> queue_order() {
    std::vector<int> order = queue_;
    const auto priority = [&](int k) { return kernel(k).priority; };
    if (!std::ranges::is_sorted(order, {}, priority) &&
        reading_.template resolve<Priority>() == Priority::respected) {
      std::ranges::stable_sort(order, {}, priority);
    }
    return order;
  }

  void dispatch() {
    while (!queue_.empty() && dispatch_one()) {
    }
  }

  bool dispatch_one() {
    const std::vector<int> order = queue_order();
    for (const int k : order) {
      if (try_pick(k)) return true;
      if (k != order.back() && reading_.template resolve<Queue>() == Queue::fifo) return false;
    }
    return false;
  }

  // -- one pick -------------------------------------------------------------

  /// Places the next block of the kernel, or the next two; false if it must wait.
  bool try_pick(int k) {
    if (kernels_[k].next_block == 0) reset_cursors(CursorReset::kernel);
    if (!local_memory_ready(k)) return false;
    const std::optional<int> sm = select(k);
    if (!sm) return false;
    kernels_[k].left_at_pick.push_back(left(k));
    const bool pair = picks_pair(k);
    place(k, *sm);
    if (pair && reading_.decide(fits(*sm, k))) place(k, *sm);
    return true;
  }

  bool local_memory_ready(int k) {
    const int local = kernel(k).local;
    int& current = carry_.local_bytes;
    if (resident_ == 0) {
      // Only where the values differ does it matter which one holds.
      if (current != local) {
        current = LocalMemory::on_idle(reading_.template resolve<LocalMemory>(), current, local);
      }
      return true;
    }
    return local <= current ||
           reading_.template resolve<LocalMemory>() == LocalMemory::ignored;
  }

  bool picks_pair(int k) {
    const auto& history = kernels_[k].left_at_pick;
    const int pick = static_cast<int>(history.size()) - 1;
    const auto counted = [&](int lag) { return history[std::max(0, pick - lag)]; };
    const int threshold = 2 * device_.sms;
    // Each axis is read only where its values differ.
    if (left(k) <= 1 || counted(BatchLag::longest) <= threshold) return false;
    if (reading_.template resolve<DispatchBatch>() == DispatchBatch::single) return false;
    if (counted(0) > threshold + BatchMargin::largest) return true;
    const int count = counted(BatchLag::picks(reading_.template resolve<BatchLag>()));
    if (count <= threshold || count > threshold + BatchMargin::largest) return count > threshold;
    return count > threshold + BatchMargin::blocks(reading_.template resolve<BatchMargin>());
  }

  std::optional<int> select(int k) {
    std::vector<Candidate>& all = candidates_;
    all.clear();
    for (int sm = 0; sm < device_.sms; ++sm) {
      all.push_back({sm, fits(sm, k), zero_, 0, reading_.may_place(k, kernels_[k].next_block, sm)});
    }
    if (!reading_.any(all)) return std::nullopt;

    const int block = kernels_[k].next_block;
    if (block % 2 == 1 && reading_.template resolve<Selection>() == Selection::paired) {
      const int previous = kernels_[k].sm_of_block[block - 1];
      if (reading_.decide(all[previous].eligible)) return previous;
    }
    const Hierarchy::Value hierarchy = reading_.template resolve<Hierarchy>();
    if (hierarchy == Hierarchy::flat) {
      return select_sm(k, 0, 1, [](int) { return true; });
    }
    const auto& groups = groups_in(hierarchy);
    if (turn_.kernel != k) turn_ = {k, -1, {}};
    if (turn_.group >= 0 && in_turn(groups[turn_.group])) {
      return select_in_turn(k, groups, turn_.group);
    }
    const int group = select_group(k, groups);
    turn_ = {k, group, {}};
    return select_in_turn(k, groups, group);
  }

  using Groups = std::vector<std::vector<int>>;

  const Groups& groups_in(Hierarchy::Value hierarchy) {
    Groups& groups = groups_[hierarchy];
    if (groups.empty()) groups = groups_of(device_, hierarchy);
    return groups;
  }

  /// Whether the group in turn has an eligible SM that had no block in it yet.
  bool in_turn(const std::vector<int>& group) {
    std::vector<Candidate> unused;
    for (const int sm : group) {
      if (std::ranges::find(turn_.used, sm) == turn_.used.end()) unused.push_back(candidates_[sm]);
    }
    return !unused.empty() && reading_.template resolve<GroupTurn>() == GroupTurn::each_sm_once &&
           reading_.any(unused);
  }

  std::optional<int> select_in_turn(int k, const Groups& groups, int group) {
    const auto& members = groups[group];
    const auto sm = select_sm(k, group, static_cast<int>(groups.size()), [&](int sm) {
      return std::ranges::find(members, sm) != members.end() &&
             std::ranges::find(turn_.used, sm) == turn_.used.end();
    });
    if (sm) turn_.used.push_back(*sm);
    return sm;
  }

  int select_group(int k, const Groups& groups) {
    const auto policy = reading_.template resolve<GroupSelection>();
    // A group in which the block then waits is no group where it was seen to go.
    const bool may_wait =
        reading_.template resolve<Selection>() == Selection::sticky_round_robin;
    const std::vector<int> rank = reading_.group_ranks(groups);
    const int count = static_cast<int>(groups.size());
    std::vector<Candidate> candidates;
    for (int g = 0; g < count; ++g) {
      Candidate group{g, candidates_[groups[g][0]].eligible, zero_, rank.empty() ? 0 : rank[g],
                      may_wait};
      Int room = zero_;
      int warps = 0;
      for (const int sm : groups[g]) {
        group.eligible = reading_.apply(Either{}, group.eligible, candidates_[sm].eligible);
        group.allowed = group.allowed || candidates_[sm].allowed;
        warps += sms_[sm].resident_warps;
        if (policy == GroupSelection::most_room) {
          room = reading_.apply(AddIf{}, room, candidates_[sm].eligible, room_key(sm, k));
        }
      }
      switch (policy) {
        case GroupSelection::most_room: group.key = room; break;
        case GroupSelection::round_robin:
          group.rank = reading_.rank_after(rank, g, carry_.group_cursor, 1, device_.sms);
          break;
        case GroupSelection::first_fit: break;
        case GroupSelection::smallest_first:
          group.key = reading_.constant(static_cast<int>(groups[g].size()));
          break;
        case GroupSelection::fewest_warps: group.key = reading_.constant(warps); break;
      }
      candidates.push_back(group);
    }
    const int chosen = reading_.pick(candidates, device_.sms);
    if (policy == GroupSelection::round_robin) carry_.group_cursor = chosen;
    return chosen;
  }

  std::optional<int> select_sm(int k, int group, int group_count, auto&& is_member) {
    const auto policy = reading_.template resolve<Selection>();
    const bool cursor_moves = Selection::has_cursor(policy);
    int cursor = -1;
    if (cursor_moves) {
      if (static_cast<int>(carry_.sm_cursors.size()) != group_count) {
        carry_.sm_cursors.assign(group_count, -1);
      }
      cursor = carry_.sm_cursors[group];
    }
    const std::vector<int>& rank = reading_.sm_ranks();
    std::vector<Candidate>& members = members_;
    members.clear();
    for (Candidate c : candidates_) {
      if (!is_member(c.id)) continue;
      c.rank = rank.empty() ? 0 : rank[c.id];
      switch (policy) {
        case Selection::most_room:
        case Selection::paired: c.key = room_key(c.id, k); break;
        case Selection::round_robin:
        case Selection::sticky_round_robin:
          c.rank = reading_.rank_after(rank, c.id, cursor, 1, 0);
          break;
        case Selection::next_fit:
          c.rank = reading_.rank_after(rank, c.id, cursor, 0, 0);
          break;
        case Selection::first_fit: break;
        case Selection::fewest_warps:
          c.key = reading_.constant(sms_[c.id].resident_warps);
          break;
        case Selection::most_warps:
          c.key = reading_.constant(-sms_[c.id].resident_warps);
          break;
        case Selection::least_used: c.key = usage(c.id, k); break;
        case Selection::most_used: c.key = reading_.apply(Negate{}, usage(c.id, k)); break;
        case Selection::fewest_blocks:
          c.key = reading_.constant(static_cast<int>(sms_[c.id].residents.size()));
          break;
      }
      members.push_back(c);
    }
    if (policy == Selection::sticky_round_robin) {
      const Candidate* at_cursor = reading_.at_cursor(members);
      if (!at_cursor || !reading_.decide(at_cursor->eligible)) return std::nullopt;
      members = {*at_cursor};
    }
    const int chosen = reading_.pick(members, 0);
    if (cursor_moves) carry_.sm_cursors[group] = chosen;
    return chosen;
  }

  // -- one SM ---------------------------------------------------------------

  IdleDomains idle_around(int sm) const {
    return {sms_[sm].domain.blocks == 0, tpc_domains_[device_.tpc_of(sm)].blocks == 0,
            device_domain_.blocks == 0};
  }

  /// The clock of the latest change that bears on the SM.
  int changed(int sm) const { return std::max(changed_[sm], device_changed_); }

  const Int& preferred_by(const Domain& domain, int k) const {
    return kernels_[domain.blocks > 0 ? domain.setter : k].preferred;
  }

  Bool fits(int sm, int k) {
    View& view = kernels_[k].view[sm];
    if (view.fits_at > changed(sm)) return view.fits;
    view.fits_at = clock_;
    const Sm& s = sms_[sm];
    if (static_cast<int>(s.residents.size()) >= device_.max_blocks_per_sm) {
      view.fits = reading_.never();
      return view.fits;
    }
    const KernelState& state = kernels_[k];
    const IdleDomains idle = idle_around(sm);
    view.config = reading_.apply(CurrentConfig{&device_, idle, idle.bits()}, state.preferred,
                                 preferred_by(s.domain, k),
                                 preferred_by(tpc_domains_[device_.tpc_of(sm)], k),
                                 preferred_by(device_domain_, k));
    view.fits = reading_.apply(
        Both{}, reading_.apply(FitsWarps{on(k)}, s.warps),
        reading_.apply(FitsShared{{&device_, &kernel(k), k * 8 + idle.bits()}, idle}, s.shared,
                       view.config, state.preferred, state.bytes));
    return view.fits;
  }

  Int room_key(int sm, int k) {
    View& view = kernels_[k].view[sm];
    if (view.room_at > changed(sm)) return view.room_key;
    fits(sm, k);
    view.room_at = clock_;
    const Sm& s = sms_[sm];
    const IdleDomains idle = idle_around(sm);
    const int free = device_.max_blocks_per_sm - static_cast<int>(s.residents.size());
    if (free <= 0) return view.room_key = reading_.constant(0);
    view.room_key = reading_.apply(
        LeastRoomKey{free}, reading_.apply(RoomForWarps{on(k)}, s.warps),
        reading_.apply(RoomInShared{{&device_, &kernel(k), idle.bits()}, idle}, s.shared,
                       view.config, kernels_[k].bytes));
    return view.room_key;
  }

  Int usage(int sm, int k) {
    const Sm& s = sms_[sm];
    const int blocks = static_cast<int>(s.residents.size());
    const int id = (k * (device_.max_blocks_per_sm + 1) + blocks) * 256 + s.resident_warps;
    return reading_.apply(Usage{{&device_, &kernel(k), id}, blocks, s.resident_warps}, s.warps,
                          s.shared, kernels_[k].bytes);
  }

  // -- placing and releasing ------------------------------------------------

  void place(int k, int sm) {
    Sm& s = sms_[sm];
    KernelState& state = kernels_[k];
    const int block = state.next_block;
    fits(sm, k);
    const Int config = state.view[sm].config;
    s.warps = reading_.apply(PlaceWarps{on(k)}, std::move(s.warps));
    s.shared = reading_.apply(PlaceShared{}, std::move(s.shared), config, state.bytes);
    s.residents.push_back({k, block});
    s.resident_warps += kernel(k).warps();
    touch(sm, [&](Domain& domain) { domain.place(k); });
    ++resident_;
    ++state.resident;
    ++state.next_block;
    state.sm_of_block.push_back(sm);
    if (left(k) == 0) std::erase(queue_, k);
    reading_.placed(k, block, sm, s.warps);
  }

  void free_block(int k, int block) {
    KernelState& state = kernels_[k];
    if (block >= state.next_block) return;
    const int sm = state.sm_of_block[block];
    Sm& s = sms_[sm];
    const auto found = std::ranges::find_if(s.residents, [&](const Resident& r) {
      return r.kernel == k && r.block == block;
    });
    if (found == s.residents.end()) return;
    const int position = static_cast<int>(found - s.residents.begin());
    s.warps = reading_.apply(ReleaseWarps{position}, std::move(s.warps));
    s.shared = reading_.apply(ReleaseShared{position}, std::move(s.shared));
    s.residents.erase(found);
    s.resident_warps -= kernel(k).warps();
    touch(sm, [](Domain& domain) { --domain.blocks; });
    --state.resident;
    if (--resident_ == 0) on_idle();
  }

  void on_idle() {
    for (Sm& sm : sms_) sm.warps = reading_.apply(IdleDeviceWarps{}, std::move(sm.warps));
    reset_cursors(CursorReset::device_idle);
    device_changed_ = clock_++;
  }

  void reset_cursors(CursorReset::Value event) {
    if (carry_.at_start() || reading_.template resolve<CursorReset>() != event) return;
    std::ranges::fill(carry_.sm_cursors, -1);
    carry_.group_cursor = -1;
  }

  /// Changes the SM's domains and lets what depends on them be computed again.
  void touch(int sm, auto&& change) {
    Domain& tpc = tpc_domains_[device_.tpc_of(sm)];
    const int tpc_before = tpc.blocks;
    const int device_before = device_domain_.blocks;
    change(sms_[sm].domain);
    change(tpc);
    change(device_domain_);
    changed_[sm] = clock_;
    if (tpc_before == 0 || tpc.blocks == 0) {
      for (int mate = 0; mate < device_.sms; ++mate) {
        if (device_.tpc_of(mate) == device_.tpc_of(sm)) changed_[mate] = clock_;
      }
    }
    if (device_before == 0 || device_domain_.blocks == 0) device_changed_ = clock_;
    ++clock_;
  }

  R& reading_;
  const Device& device_;
  Int zero_;
  const Probe* probe_ = nullptr;
  std::vector<Sm> sms_;
  std::vector<Domain> tpc_domains_;
  Domain device_domain_;
  std::vector<KernelState> kernels_;
  std::vector<int> waiting_;  ///< launched, not yet in the queue
  std::vector<int> queue_;    ///< in order of joining
  int resident_ = 0;          ///< blocks on the device
  Carry carry_;
  Turn turn_;
  std::array<Groups, 3> groups_;
  int clock_ = 1;
  std::vector<int> changed_;  ///< by SM
  int device_changed_ = 0;
  std::vector<Candidate> candidates_;  ///< all SMs, for the block at hand
  std::vector<Candidate> members_;     ///< those among which one is selected
};

}  // namespace cuvier
