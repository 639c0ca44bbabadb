#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "hypotheses/scheduler/groups.h"
#include "solver/diagnosis/other_maps.h"

namespace cuvier {
namespace {

using Groups = std::vector<std::vector<int>>;

std::vector<int> map_of(const Groups& groups, int sms) {
  std::vector<int> group_of(sms);
  for (int group = 0; group < std::ssize(groups); ++group) {
    for (const int sm : groups[group]) group_of[sm] = group;
  }
  return numbered_by_first_sm(group_of);
}

/// Cuts an order into GPCs that follow each other: of each its SMs ascend, and it has whole TPCs.
/// The GPCs ascend by their lowest SM, or by their size first.
class Cuts {
 public:
  Cuts(const Device& device, const std::vector<int>& order, bool by_size, std::size_t most)
      : order_(order), sms_(device.sms), by_size_(by_size), most_(most) {
    std::vector<int> last(sms_);  // place of each TPC's last SM
    for (int place = 0; place < sms_; ++place) last[device.tpc_of(order[place])] = place;
    int furthest = -1;
    for (int place = 0; place < sms_; ++place) {
      furthest = std::max(furthest, last[device.tpc_of(order[place])]);
      may_end_.push_back(furthest == place);
    }
    runs_from_.assign(sms_ + 1, 0);
    for (int place = sms_; place-- > 0;) {
      const bool ends = place + 1 == sms_ || order[place + 1] < order[place];
      runs_from_[place] = runs_from_[place + 1] + (ends ? 1 : 0);
    }
  }

  /// Those into the fewest GPCs first. A boundary between two does not show where SMs go on to
  /// ascend over it, so there may be more GPCs than runs.
  std::vector<Groups> all() && {
    constexpr int most_hidden = 4;
    for (int hidden = 0; hidden <= most_hidden; ++hidden) {
      cut(0, runs_from_[0] + hidden, {0, -1});
    }
    return std::move(found_);
  }

 private:
  using Key = std::pair<int, int>;

  void cut(int from, int left, Key before) {
    if (from == sms_ && left == 0) found_.push_back(gpcs_);
    if (from == sms_ || left == 0) return;
    for (int last = from; last < sms_; ++last) {
      if (last > from && order_[last] < order_[last - 1]) return;
      const Key key{by_size_ ? last + 1 - from : 0, order_[from]};
      const bool fits = may_end_[last] && key > before && runs_from_[last + 1] <= left - 1;
      if (!fits || found_.size() == most_) continue;
      gpcs_.emplace_back(order_.begin() + from, order_.begin() + last + 1);
      cut(last + 1, left - 1, key);
      gpcs_.pop_back();
    }
  }

  const std::vector<int>& order_;
  const int sms_;
  const bool by_size_;
  const std::size_t most_;
  std::vector<bool> may_end_;   ///< by place: whether a GPC may end here
  std::vector<int> runs_from_;  ///< by place: ascending runs from here on
  Groups gpcs_;
  std::vector<Groups> found_;
};

/// GPCs whose n-th TPCs follow each other. Each further round is dealt to the GPCs in their order;
/// one that has no TPC left is passed over.
std::optional<Groups> gpcs_in_turn(const Device& device, const std::vector<int>& order) {
  const Groups tpcs = tpcs_of(device);
  Groups gpcs;
  std::vector<int> latest;  // by GPC: the lowest SM of its latest TPC
  bool first_round = true;
  int turn = 0;
  int before = -1;
  for (int place = 0; place < device.sms;) {
    const int sm = order[place];
    const auto tpc = std::ranges::find(tpcs, sm, [](const auto& sms) { return sms.front(); });
    if (tpc == tpcs.end()) return std::nullopt;
    if (sm < before) {
      first_round = false;
      turn = 0;
    }
    before = sm;
    if (first_round) {
      gpcs.emplace_back();
      latest.push_back(-1);
      turn = static_cast<int>(gpcs.size()) - 1;
    }
    // Neighbours are in one GPC rather than others.
    int nearest = -1;
    for (int gpc = turn; gpc < std::ssize(gpcs); ++gpc) {
      if (latest[gpc] < sm && (nearest < 0 || latest[gpc] > latest[nearest])) nearest = gpc;
    }
    if (nearest < 0) return std::nullopt;
    gpcs[nearest].insert(gpcs[nearest].end(), tpc->begin(), tpc->end());
    latest[nearest] = sm;
    turn = nearest + 1;
    place += static_cast<int>(tpc->size());
  }
  return gpcs;
}

/// TPCs whose n-th SMs follow each other.
std::optional<Groups> tpcs_in_turn(const Device& device, const std::vector<int>& order) {
  if (device.sms % device.sms_per_tpc != 0) return std::nullopt;
  Groups tpcs(device.sms / device.sms_per_tpc);
  for (int place = 0; place < device.sms; ++place) {
    tpcs[place % std::ssize(tpcs)].push_back(order[place]);
  }
  return tpcs;
}

}  // namespace

std::vector<Device> maps_for(const Device& device, const std::vector<int>& order,
                             std::size_t most) {
  std::vector<Device> maps;
  const auto add = [&](const Groups& groups, std::vector<int> Device::*map) {
    Device mapped = device;
    mapped.*map = map_of(groups, device.sms);
    if (std::ranges::find(maps, mapped) == maps.end()) maps.push_back(std::move(mapped));
  };
  if (const auto tpcs = tpcs_in_turn(device, order)) add(*tpcs, &Device::tpc_of_sm);
  if (const auto gpcs = gpcs_in_turn(device, order)) add(*gpcs, &Device::gpc_of_sm);
  std::vector<Groups> cuts = Cuts(device, order, false, most).all();
  std::ranges::move(Cuts(device, order, true, most).all(), std::back_inserter(cuts));
  std::ranges::stable_sort(cuts, {}, &Groups::size);
  if (cuts.size() > most) cuts.resize(most);
  for (const Groups& gpcs : cuts) add(gpcs, &Device::gpc_of_sm);
  return maps;
}

std::vector<std::vector<int>> clusters_in(const std::vector<RecordingSet>& sets) {
  std::vector<std::vector<int>> clusters;
  for (const RecordingSet& set : sets) {
    for (const Recording& recording : set.recordings) {
      for (const Fact& fact : recording.facts) {
        const auto size =
            static_cast<std::size_t>(recording.probe.kernels[fact.kernel].cluster.value_or(1));
        if (fact.kind != Fact::Kind::sm || size < 2) continue;
        for (std::size_t at = 0; at + size <= fact.values.size(); at += size) {
          const auto first = fact.values.begin() + static_cast<std::ptrdiff_t>(at);
          clusters.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
        }
      }
    }
  }
  return clusters;
}

Device mapped_by(const std::vector<std::vector<int>>& clusters, Device device) {
  std::vector<int> gpc(device.sms);
  std::iota(gpc.begin(), gpc.end(), 0);
  const auto join = [&](int sm, int other) {
    std::ranges::replace(gpc, int{gpc[other]}, int{gpc[sm]});  // copies: it writes over these
  };
  for (const auto& tpc : tpcs_of(device)) {
    for (const int sm : tpc) join(tpc.front(), sm);
  }
  for (const auto& cluster : clusters) {
    for (const int sm : cluster) join(cluster.front(), sm);
  }
  device.gpc_of_sm = numbered_by_first_sm(gpc);
  return device;
}

bool holds_together(const Device& device, const std::vector<std::vector<int>>& clusters) {
  if (device.gpc_of_sm.empty()) return clusters.empty();
  return std::ranges::all_of(clusters, [&](const std::vector<int>& cluster) {
    return std::ranges::all_of(
        cluster, [&](int sm) { return device.gpc_of_sm[sm] == device.gpc_of_sm[cluster[0]]; });
  });
}

}  // namespace cuvier
