#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "hypotheses/axes.h"
#include "hypotheses/scheduler/groups.h"
#include "probes/probe.h"

namespace cuvier {

/// The blocks on each SM, in an order that whoever adds them makes. Copies are cheap: grids are
/// tried by the thousand, each from a copy of their common beginning.
class ResidentBlocks {
 public:
  explicit ResidentBlocks(const Device& device)
      : near_(std::make_shared<Neighbourhood>(device)), on_sm_(device.sms) {}

  bool operator==(const ResidentBlocks& other) const {
    return blocks_ == other.blocks_ && free_ == other.free_ && on_sm_ == other.on_sm_ &&
           of_kernel_ == other.of_kernel_;
  }

  /// Ahead of so many of the blocks on the SM.
  void add(int sm, int kernel, int block, int ahead_of) {
    int index = free_;
    if (index == kNone) {
      index = static_cast<int>(blocks_.size());
      blocks_.emplace_back();
    } else {
      free_ = blocks_[index].next;
    }
    blocks_[index] = {kernel, block, kNone};
    if (kernel >= static_cast<int>(of_kernel_.size())) of_kernel_.resize(kernel + 1);
    ++of_kernel_[kernel];
    OnSm& on = on_sm_[sm];
    int before = on.last;
    if (ahead_of == 0) {
      on.last = index;
    } else {
      before = kNone;
      for (int next = on.first, n = on.blocks; n > ahead_of; --n) {
        before = std::exchange(next, blocks_[next].next);
      }
    }
    blocks_[index].next = std::exchange(before == kNone ? on.first : blocks_[before].next, index);
    ++on.blocks;
  }

  /// The position that the block had among those on the SM; none if it is not there.
  std::optional<int> remove(int sm, int kernel, int block) {
    OnSm& on = on_sm_[sm];
    int before = kNone;
    int position = 0;
    for (int index = on.first; index != kNone; index = blocks_[index].next, ++position) {
      Block& each = blocks_[index];
      if (each.kernel == kernel && each.block == block) {
        (before == kNone ? on.first : blocks_[before].next) = each.next;
        if (on.last == index) on.last = before;
        --on.blocks;
        each.next = std::exchange(free_, index);
        --of_kernel_[kernel];
        return position;
      }
      before = index;
    }
    return std::nullopt;
  }

  /// The kernel's blocks on all SMs.
  int count(int kernel) const {
    return kernel < static_cast<int>(of_kernel_.size()) ? of_kernel_[kernel] : 0;
  }

  /// The kernel's blocks on the SM.
  int count(int sm, int kernel) const {
    int blocks = 0;
    for_each_on(sm, [&](const Block& each) { blocks += each.kernel == kernel; });
    return blocks;
  }

  /// Those on the SM whose kind comes after the kernel's. If blocks are added ahead of these, SMs
  /// with the same blocks are alike, in whatever order they came, and SMs have few states.
  int of_later_kinds(int sm, int kernel, const auto& kernels) const {
    const auto is_later = [&](int other) { return kernels[other].kind > kernels[kernel].kind; };
    int blocks = 0;
    for_each_on(sm, [&](const Block& each) { blocks += is_later(each.kernel); });
    return blocks;
  }

  /// On any of these SMs.
  int count(const std::vector<int>& sms, int kernel) const {
    int blocks = 0;
    for (const int sm : sms) blocks += count(sm, kernel);
    return blocks;
  }

  /// Where SMs are.
  const std::vector<Whereabouts>& where() const { return near_->of_sm; }

  /// All on the SM's TPC, and on its GPC.
  int on_tpc(int sm) const { return count(near_->tpcs.mates_of(sm)); }
  int on_gpc(int sm) const { return count(near_->gpcs.mates_of(sm)); }

  /// Whether the SM's TPC is alone in its GPC.
  bool is_lone(int sm) const {
    const std::vector<int>& tpcs = near_->tpcs.of_sm;
    return std::ranges::all_of(near_->gpcs.mates_of(sm),
                               [&](int mate) { return tpcs[mate] == tpcs[sm]; });
  }

  /// Those of clusters, on all of these SMs.
  int clustered(const std::vector<int>& sms, const Probe& probe) const {
    int blocks = 0;
    for (const int sm : sms) {
      for_each_on(
          sm, [&](const Block& each) { blocks += probe.kernels[each.kernel].cluster.has_value(); });
    }
    return blocks;
  }

  /// SMs that have blocks of the kernel.
  int sms_of(int kernel) const {
    int sms = 0;
    for (int sm = 0; sm < std::ssize(on_sm_); ++sm) sms += count(sm, kernel) > 0;
    return sms;
  }

  /// Other kernels that have blocks on the SM.
  int kernels_beside(int sm, int kernel) const {
    std::set<int> others;
    for_each_on(sm, [&](const Block& each) { others.insert(each.kernel); });
    others.erase(kernel);
    return static_cast<int>(others.size());
  }

  /// What a selection that reads these names sees of the blocks around the SM.
  void see(Seen<Selection, int>& seen, std::uint32_t names, int kernel) const {
    const auto reads = [&](NameOf<Selection> name) { return (names >> name & 1) != 0; };
    const int sm = seen["sm"];
    const Whereabouts& at = near_->of_sm[sm];
    const auto& mates = near_->tpcs.mates_of(sm);
    seen["own"] = reads("own") ? count(sm, kernel) : 0;
    seen["tpc_blocks"] = reads("tpc_blocks") ? count(mates) : 0;
    seen["tpc_own"] = reads("tpc_own") ? count(mates, kernel) : 0;
    seen["gpc_blocks"] = reads("gpc_blocks") ? on_gpc(sm) : 0;
    seen["gpc"] = at["gpc"];
    seen["home_gpc"] = near_->of_sm[seen["home"]]["gpc"];
    seen["sms_of_gpc"] = at["sms_of_gpc"];
    seen["kernels"] = reads("kernels") ? kernels_beside(sm, kernel) : 0;
  }

  /// What `admission` may read of the block and of those on the device, once so many more of the
  /// kernel are on the SM. What is dear to count is counted only if it is among the names.
  Seen<Admission, int> seen_by_admission(int sm, int kernel, int more, std::uint32_t names,
                                         const Probe& probe) const {
    const auto reads = [&](NameOf<Admission> name) { return (names >> name & 1) != 0; };
    const Kernel& own = probe.kernels[kernel];
    const Whereabouts& at = near_->of_sm[sm];
    Seen<Admission, int> seen;
    seen["priority"] = own.priority;
    seen["w"] = own.warps();
    seen["registers"] = own.registers;
    seen["bytes"] = own.shared;
    seen["local"] = own.local;
    seen["grid"] = own.blocks;
    seen["cluster"] = own.cluster.value_or(0);
    seen["threads"] = own.threads;
    seen["sm"] = sm;
    seen["sms"] = static_cast<int>(on_sm_.size());
    seen["gpc"] = at["gpc"];
    seen["place_in_gpc"] = at["place_in_gpc"];
    seen["sms_of_gpc"] = at["sms_of_gpc"];
    seen["own"] = count(sm, kernel) + more;
    if (reads("kernels")) seen["kernels"] = kernels_beside(sm, kernel);
    seen["blocks"] = on_sm_[sm].blocks + more;
    int& warps = seen["warps"] = more * own.warps();
    int& urgent = seen["urgent"] = more > 0 ? own.priority : Admission::urgent_of_none;
    int& held_threads = seen["held_threads"] = more * own.threads;
    for_each_on(sm, [&](const Block& each) {
      warps += probe.kernels[each.kernel].warps();
      urgent = std::min(urgent, probe.kernels[each.kernel].priority);
      held_threads += probe.kernels[each.kernel].threads;
    });
    if (reads("own_sms")) {
      seen["own_sms"] = sms_of(kernel) + (more > 0 && count(sm, kernel) == 0 ? 1 : 0);
    }
    const auto& tpc = near_->tpcs.mates_of(sm);
    if (reads("tpc_blocks")) seen["tpc_blocks"] = count(tpc) + more;
    if (reads("gpc_blocks")) seen["gpc_blocks"] = on_gpc(sm) + more;
    if (reads("tpc_clustered")) {
      seen["tpc_clustered"] = clustered(tpc, probe) + (own.cluster ? more : 0);
    }
    if (reads("gpc_clusters")) seen["gpc_clusters"] = clusters(near_->gpcs.mates_of(sm), probe);
    if (reads("device_blocks")) {
      seen["device_blocks"] = std::accumulate(of_kernel_.begin(), of_kernel_.end(), more);
    }
    seen["own_on_device"] = count(kernel) + more;
    if (reads("device_urgent")) {
      int& of_all = seen["device_urgent"] = more > 0 ? own.priority : Admission::urgent_of_none;
      for (int k = 0; k < std::ssize(probe.kernels); ++k) {
        if (count(k) > 0) of_all = std::min(of_all, probe.kernels[k].priority);
      }
    }
    return seen;
  }

  /// Takes all off all SMs.
  void clear() {
    blocks_.clear();
    free_ = kNone;
    of_kernel_.clear();
    on_sm_.assign(on_sm_.size(), {});
  }

 private:
  static constexpr int kNone = -1;

  int count(const std::vector<int>& sms) const {
    int blocks = 0;
    for (const int sm : sms) blocks += on_sm_[sm].blocks;
    return blocks;
  }

  /// Clusters that have blocks there.
  int clusters(const std::vector<int>& sms, const Probe& probe) const {
    std::set<std::pair<int, int>> clusters;
    for (const int sm : sms) {
      for_each_on(sm, [&](const Block& each) {
        const auto size = probe.kernels[each.kernel].cluster;
        if (size) clusters.insert({each.kernel, each.block / *size});
      });
    }
    return static_cast<int>(clusters.size());
  }

  /// Calls `use` with each block on the SM.
  void for_each_on(int sm, auto&& use) const {
    for (int index = on_sm_[sm].first; index != kNone; index = blocks_[index].next) {
      use(blocks_[index]);
    }
  }

  struct Block {
    int kernel = 0;
    int block = 0;
    int next = kNone;  ///< in blocks_: who came to the SM after it; of a free place: another one
    bool operator==(const Block&) const = default;
  };
  struct OnSm {
    int first = kNone;
    int last = kNone;
    int blocks = 0;
    bool operator==(const OnSm&) const = default;
  };

  std::shared_ptr<const Neighbourhood> near_;
  std::vector<Block> blocks_;
  int free_ = kNone;  ///< in blocks_: a place that somebody left
  std::vector<OnSm> on_sm_;
  std::vector<int> of_kernel_;  ///< how many on all SMs
};

}  // namespace cuvier
