#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/options.h"
#include "hypotheses/scheduler/sms.h"

namespace cuvier {

/// Which SMs a cluster goes to (scheduler.md section 4, Clusters), over a reading R (reading.h). Of
/// an SM it asks only which blocks fit there, and how many are there.
template <class R>
class ClusterSelector {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;
  using Option = cuvier::Option<Int, Bool>;

  ClusterSelector(R& reading, const Device& device, Sms<R>& sms)
      : reading_(reading),
        axes_(reading),
        sms_(&sms),
        zero_(reading.constant(0)),
        one_(reading.constant(1)) {
    static_assert(ClusterReading<R>);
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
  std::optional<std::vector<int>> select(PlacingKernel k, int blocks) {
    const std::optional<int> gpc = reading_.outcome_of([&] { return select_gpc(k, blocks); });
    if (!gpc) return std::nullopt;
    std::vector<int> taken = reading_.outcome_of([&] { return taken_of(gpcs_[*gpc], k, blocks); });
    if (taken.empty()) return std::nullopt;
    cursors_.fill(*gpc);
    return taken;
  }

  /// The first cluster of a kernel is tried.
  void kernel_begins() { cursors_[ClusterCursor::kernel] = kStart; }

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

  /// The GPC for the kernel's next cluster; none where it must wait.
  std::optional<int> select_gpc(PlacingKernel k, int blocks) {
    // Each axis is read only where it matters.
    Bool any = reading_.never();
    for (const auto& gpc : gpcs_) {
      for (const int sm : gpc) any = reading_.apply(Either{}, any, sms_->fits(sm, k));
    }
    if (!reading_.decide(any)) return std::nullopt;
    std::vector<Option> gpcs;
    Bool some = reading_.never();
    for (int g = 0; g < static_cast<int>(gpcs_.size()); ++g) {
      gpcs.push_back({g, takes_all(gpcs_[g], k, blocks), zero_});
      some = reading_.apply(Either{}, some, gpcs.back().eligible);
    }
    if (!reading_.decide(some)) return std::nullopt;
    const std::vector<int> ranks = ranks_of_gpcs();
    for (Option& gpc : gpcs) {
      gpc.key = key_of(gpcs_[gpc.id], k);
      gpc.rank = ranks[gpc.id];
    }
    const auto allowed = [&](int g) {
      return std::ranges::any_of(gpcs_[g],
                                 [&](int sm) { return reading_.may_place_among(sm, blocks); });
    };
    return reading_.pick_ranked(gpcs, entry(ranks), allowed);
  }

  /// The place of each GPC in their order.
  std::vector<int> ranks_of_gpcs() const {
    return ranks_of(order_of_gpcs(gpcs_, axes_.template resolve<ClusterGpcOrder>()));
  }

  Entry entry(const std::vector<int>& ranks) const {
    if (axes_.template resolve<ClusterGpc>() != ClusterGpc::in_turn) return {};
    const int gpc = cursor();
    return gpc == kStart ? Entry{} : Entry{gpc, ranks[gpc], 1};
  }

  /// The cursor in force; where all are in one place, it does not matter which is.
  int cursor() const {
    if (std::ranges::count(cursors_, cursors_[0]) == std::ssize(cursors_)) return cursors_[0];
    return cursors_[axes_.template resolve<ClusterCursor>()];
  }

  /// What the choice of a GPC compares.
  Int key_of(const std::vector<int>& gpc, PlacingKernel k) {
    switch (axes_.template resolve<ClusterGpc>()) {
      case ClusterGpc::most_room: {
        Int sms = zero_;
        for (const int sm : gpc) sms = counted(sms, sms_->fits(sm, k));
        return reading_.apply(Negate{}, sms);
      }
      case ClusterGpc::fewest_blocks: {
        int blocks = 0;
        for (const int sm : gpc) blocks += sms_->resident_blocks(sm);
        return reading_.constant(blocks);
      }
      case ClusterGpc::in_turn:
      case ClusterGpc::first_fit:
        break;
    }
    return zero_;
  }

  Int counted(const Int& count, const Bool& condition) {
    return reading_.apply(AddIf{}, count, condition, one_);
  }

  /// Whether the GPC has places for so many blocks of the kernel.
  Bool takes_all(const std::vector<int>& gpc, PlacingKernel k, int blocks) {
    const ClusterSharing::Value sharing = axes_.template resolve<ClusterSharing>();
    Int places = zero_;
    Bool any = reading_.never();
    std::vector<int> counted_tpcs;
    for (const int sm : gpc) {
      Bool fits = sms_->fits(sm, k);
      if (sharing == ClusterSharing::tpc_apart) {
        const int tpc = tpc_of_sm_[sm];
        if (std::ranges::find(counted_tpcs, tpc) != counted_tpcs.end()) continue;
        counted_tpcs.push_back(tpc);
        for (const int mate : gpc) {
          if (tpc_of_sm_[mate] == tpc) {
            fits = reading_.apply(Either{}, fits, sms_->fits(mate, k));
          }
        }
      }
      any = reading_.apply(Either{}, any, fits);
      places = counted(places, fits);
      for (int more = 1; sharing == ClusterSharing::shared && more < blocks; ++more) {
        fits = reading_.apply(Both{}, fits, sms_->fits(sm, k, more));
        places = counted(places, fits);
      }
    }
    return reading_.apply(Beats{Beats::at_most}, any, reading_.constant(blocks), places);
  }

  /// The SMs of a GPC that has places for so many blocks of the kernel.
  std::vector<int> taken_of(const std::vector<int>& gpc, PlacingKernel k, int blocks) {
    const ClusterSharing::Value sharing = axes_.template resolve<ClusterSharing>();
    const ClusterSms::Value by = axes_.template resolve<ClusterSms>();
    std::vector<int> open = gpc;
    if (by == ClusterSms::tpc_interleaved) {
      std::ranges::stable_sort(open, {}, [&](int sm) {
        return std::pair(place_in_tpc(gpc, sm), first_of_tpc(gpc, sm));
      });
    }
    std::vector<int> taken;
    const auto taken_on = [&](int sm) { return static_cast<int>(std::ranges::count(taken, sm)); };
    while (static_cast<int>(taken.size()) < blocks) {
      if (open.empty()) return {};  // only where a reading does not see that no hypothesis is left
      const int sm =
          by == ClusterSms::fewest_blocks
              ? *std::ranges::min_element(
                    open, {},
                    [&](int each) { return sms_->resident_blocks(each) + taken_on(each); })
              : open.front();
      const bool fits = reading_.decide_as_seen(sms_->fits(sm, k, taken_on(sm)),
                                                reading_.may_place_among(sm, blocks));
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

  int first_of_tpc(const std::vector<int>& gpc, int sm) const {
    return *std::ranges::find_if(gpc,
                                 [&](int other) { return tpc_of_sm_[other] == tpc_of_sm_[sm]; });
  }

  R& reading_;
  const AxisReader<R, Part::clusters> axes_;
  Sms<R>* sms_;
  Int zero_;
  Int one_;
  std::vector<std::vector<int>> gpcs_;  ///< the SMs of each; none where there are no clusters
  std::vector<int> gpc_of_sm_;
  std::vector<int> tpc_of_sm_;
  /// By ClusterCursor value: the GPC behind which to go on.
  std::array<int, std::size(ClusterCursor::values)> cursors_;
};

}  // namespace cuvier
