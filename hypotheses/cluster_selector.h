#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/sms.h"
#include "hypotheses/topology.h"

namespace cuvier {

/// Which SMs a cluster goes to (scheduler.md section 4, Clusters), over a reading R (reading.h). Of
/// an SM it asks only which blocks fit there, and how many are there.
template <class R>
class ClusterSelector {
 public:
  ClusterSelector(R& reading, const Device& device, Sms<R>& sms)
      : reading_(reading), axes_(reading), sms_(&sms) {
    begin();
    if (device.largest_cluster() == 0) return;
    gpcs_ = groups_of(device, Hierarchy::gpc);
    gpc_of_sm_.resize(device.sms);
    for (int g = 0; g < static_cast<int>(gpcs_.size()); ++g) {
      for (const int sm : gpcs_[g]) gpc_of_sm_[sm] = g;
    }
    for (int sm = 0; sm < device.sms; ++sm) tpc_of_sm_.push_back(device.tpc_of(sm));
  }
  /// A copy that asks these SMs.
  ClusterSelector(const ClusterSelector& other, Sms<R>& sms) : ClusterSelector(other) {
    sms_ = &sms;
  }

  /// The SMs for the kernel's next cluster, ascending, one for each of its blocks; none where it
  /// must wait.
  std::optional<std::vector<int>> select(Asker k, int blocks, bool is_first) {
    if (is_first) cursors_[ClusterCursor::kernel] = kStart;
    for (const int gpc : gpcs_in_order(k)) {
      std::vector<int> taken = taken_of(gpcs_[gpc], k, blocks);
      if (taken.empty()) continue;
      cursors_.fill(gpc);
      return taken;
    }
    return std::nullopt;
  }

  /// A block was placed there, whether in a cluster or not.
  void placed(int sm) {
    if (!gpc_of_sm_.empty()) cursors_[ClusterCursor::shared] = gpc_of_sm_[sm];
  }

  /// Whether blocks that are in no cluster go on behind the latest cluster.
  bool shares_cursor() const {
    return axes_.template resolve<ClusterGpc>() == ClusterGpc::in_turn &&
           axes_.template is<ClusterCursor>(ClusterCursor::shared);
  }

  void device_idle() {
    cursors_[ClusterCursor::device_idle] = kStart;
    cursors_[ClusterCursor::shared] = kStart;
  }

  /// Nothing of it outlives a probe.
  void begin() { cursors_.fill(kStart); }

 private:
  static constexpr int kStart = -1;

  ClusterSelector(const ClusterSelector&) = default;

  /// The GPCs in the order in which they are tried.
  std::vector<int> gpcs_in_order(Asker k) {
    std::vector<int> order(gpcs_.size());
    for (int g = 0; g < static_cast<int>(order.size()); ++g) order[g] = g;
    const auto by = [&](auto key) { std::ranges::stable_sort(order, {}, key); };
    const auto size = [&](int g) { return static_cast<int>(gpcs_[g].size()); };
    switch (axes_.template resolve<ClusterGpcOrder>()) {
      case ClusterGpcOrder::smallest_first:
        by(size);
        break;
      case ClusterGpcOrder::largest_first:
        by([&](int g) { return -size(g); });
        break;
      case ClusterGpcOrder::lowest_sm:
        break;
    }
    switch (axes_.template resolve<ClusterGpc>()) {
      case ClusterGpc::in_turn:
        go_on_behind(cursor(), order);
        break;
      case ClusterGpc::first_fit:
        break;
      case ClusterGpc::most_room:
        by([room = room_of_gpcs(k)](int g) { return -room[g]; });
        break;
      case ClusterGpc::fewest_blocks:
        by([&](int g) { return blocks_on(gpcs_[g]); });
        break;
    }
    return order;
  }

  /// The cursor in force; where all are in one place, it does not matter which is.
  int cursor() const {
    if (std::ranges::count(cursors_, cursors_[0]) == std::ssize(cursors_)) return cursors_[0];
    return cursors_[axes_.template resolve<ClusterCursor>()];
  }

  static void go_on_behind(int gpc, std::vector<int>& order) {
    const auto found = std::ranges::find(order, gpc);
    if (found != order.end()) std::ranges::rotate(order, found + 1);
  }

  std::vector<int> room_of_gpcs(Asker k) {
    std::vector<int> room;
    for (const auto& gpc : gpcs_) {
      room.push_back(0);
      for (const int sm : gpc) room.back() += reading_.decide(sms_->fits(sm, k));
    }
    return room;
  }

  int blocks_on(const std::vector<int>& sms) const {
    int blocks = 0;
    for (const int sm : sms) blocks += sms_->resident_blocks(sm);
    return blocks;
  }

  /// The GPC's SMs that take so many blocks of the kernel; none if they do not.
  std::vector<int> taken_of(const std::vector<int>& gpc, Asker k, int blocks) {
    const ClusterSharing::Value sharing = axes_.template resolve<ClusterSharing>();
    const ClusterSms::Value by = axes_.template resolve<ClusterSms>();
    std::vector<int> open = gpc;
    if (by == ClusterSms::tpc_interleaved) {
      std::ranges::stable_sort(open, {}, [&](int sm) { return place_in_tpc(gpc, sm); });
    }
    std::vector<int> taken;
    const auto taken_on = [&](int sm) { return static_cast<int>(std::ranges::count(taken, sm)); };
    while (static_cast<int>(taken.size()) < blocks) {
      if (open.empty()) return {};
      const int sm =
          by == ClusterSms::fewest_blocks
              ? *std::ranges::min_element(
                    open, {},
                    [&](int each) { return sms_->resident_blocks(each) + taken_on(each); })
              : open.front();
      const bool fits = reading_.decide(sms_->fits(sm, k, taken_on(sm)));
      if (fits) taken.push_back(sm);
      if (fits && sharing == ClusterSharing::shared) continue;
      const bool with_mates = fits && sharing == ClusterSharing::tpc_apart;
      std::erase_if(open, [&](int other) {
        return other == sm || (with_mates && tpc_of_sm_[other] == tpc_of_sm_[sm]);
      });
    }
    std::ranges::sort(taken);
    return taken;
  }

  /// How many SMs of its TPC come before it.
  int place_in_tpc(const std::vector<int>& gpc, int sm) const {
    return static_cast<int>(std::ranges::count_if(
        gpc, [&](int other) { return other < sm && tpc_of_sm_[other] == tpc_of_sm_[sm]; }));
  }

  R& reading_;
  const AxisReader<R, Part::clusters> axes_;
  Sms<R>* sms_;
  std::vector<std::vector<int>> gpcs_;  ///< the SMs of each; none where there are no clusters
  std::vector<int> gpc_of_sm_;
  std::vector<int> tpc_of_sm_;
  /// By ClusterCursor value: the GPC behind which to go on.
  std::array<int, std::size(ClusterCursor::values)> cursors_;
};

}  // namespace cuvier
