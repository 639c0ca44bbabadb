#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "hypotheses/axes/cluster_gpc_order.h"
#include "hypotheses/axes/hierarchy.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/device.h"

namespace cuvier {

/// These SMs in groups of one label, each in their order, the groups by their first. Labels are
/// numbers from 0 on, no larger than those of SMs.
template <class LabelOf>
std::vector<std::vector<int>> grouped(const std::vector<int>& sms, LabelOf label_of) {
  std::vector<std::vector<int>> groups;
  std::vector<std::size_t> known;  // by label: one more than the number of its group
  for (const int sm : sms) {
    const auto label = static_cast<std::size_t>(label_of(sm));
    if (label >= known.size()) known.resize(label + 1);
    if (known[label] == 0) {
      groups.emplace_back();
      known[label] = groups.size();
    }
    groups[known[label] - 1].push_back(sm);
  }
  return groups;
}

/// SM 0, 1, ...
inline std::vector<int> ascending_sms(const Device& device) {
  std::vector<int> sms(device.sms);
  std::iota(sms.begin(), sms.end(), 0);
  return sms;
}

/// The SMs of each TPC, or GPC, ascending, the groups by their lowest SM. What groups are called
/// says no more than which SMs are together.
inline std::vector<std::vector<int>> tpcs_of(const Device& device) {
  return grouped(ascending_sms(device), [&](int sm) { return device.tpc_of(sm); });
}
inline std::vector<std::vector<int>> gpcs_of(const Device& device) {
  return grouped(ascending_sms(device), [&](int sm) { return device.gpc_of_sm[sm]; });
}

/// Whether they are one TPC.
inline bool is_one_tpc(const Device& device, const std::vector<int>& sms) {
  return std::ranges::all_of(
      sms, [&](int sm) { return device.tpc_of(sm) == device.tpc_of(sms.front()); });
}

/// SMs of the largest TPC.
inline int largest_tpc(const Device& device) {
  int most = 1;
  for (const auto& sms : tpcs_of(device)) most = std::max<int>(most, std::ssize(sms));
  return most;
}

/// Where an SM is among its device's.
using Whereabouts = Seen<TieBreak, int>;

/// Of each SM.
inline std::vector<Whereabouts> whereabouts(const Device& device) {
  std::vector<Whereabouts> all(device.sms);
  for (int sm = 0; sm < device.sms; ++sm) {
    all[sm]["sm"] = sm;
    all[sm]["sms"] = device.sms;
  }
  const auto tpcs = tpcs_of(device);
  for (int tpc = 0; tpc < std::ssize(tpcs); ++tpc) {
    for (int place = 0; place < std::ssize(tpcs[tpc]); ++place) {
      Whereabouts& at = all[tpcs[tpc][place]];
      at["tpc"] = tpc;
      at["tpcs"] = static_cast<int>(tpcs.size());
      at["place_in_tpc"] = place;
    }
  }
  if (device.gpc_of_sm.empty()) return all;
  const auto gpcs = gpcs_of(device);
  for (int gpc = 0; gpc < std::ssize(gpcs); ++gpc) {
    for (int place = 0; place < std::ssize(gpcs[gpc]); ++place) {
      Whereabouts& at = all[gpcs[gpc][place]];
      at["gpc"] = gpc;
      at["gpcs"] = static_cast<int>(gpcs.size());
      at["place_in_gpc"] = place;
      at["sms_of_gpc"] = static_cast<int>(gpcs[gpc].size());
    }
    const auto its_tpcs = grouped(gpcs[gpc], [&](int sm) { return all[sm]["tpc"]; });
    for (int tpc = 0; tpc < std::ssize(its_tpcs); ++tpc) {
      for (const int sm : its_tpcs[tpc]) all[sm]["tpc_in_gpc"] = tpc;
    }
  }
  return all;
}

/// Groups, and in which each SM is.
struct Grouping {
  std::vector<std::vector<int>> members;
  std::vector<int> of_sm;

  Grouping(std::vector<std::vector<int>> groups, int sms) : members(std::move(groups)), of_sm(sms) {
    for (std::size_t g = 0; g < members.size(); ++g) {
      for (const int sm : members[g]) of_sm[sm] = static_cast<int>(g);
    }
  }
  /// Those in the SM's group, itself among them.
  const std::vector<int>& mates_of(int sm) const { return members[of_sm[sm]]; }
};

/// Where SMs are, and who is near.
struct Neighbourhood {
  using Groups = std::vector<std::vector<int>>;

  explicit Neighbourhood(const Device& device)
      : of_sm(whereabouts(device)),
        tpcs(tpcs_of(device), device.sms),
        gpcs(device.gpc_of_sm.empty() ? Groups{ascending_sms(device)} : gpcs_of(device),
             device.sms) {}

  std::vector<Whereabouts> of_sm;
  Grouping tpcs;
  Grouping gpcs;  ///< one of all, where nobody knows
};

/// What a formula of these names comes to, by SM.
inline std::vector<std::vector<int>> told_of_sms(const Device& device, const Formula& formula) {
  std::vector<std::vector<int>> told;
  for (const Whereabouts& sm : whereabouts(device)) {
    told.push_back(Evaluation<int, bool>(formula, sm.values).numbers());
  }
  return told;
}

/// The groups of which one is chosen first, as tpcs_of(); one group of all for Hierarchy::flat.
inline std::vector<std::vector<int>> groups_of(const Device& device, Hierarchy::Value hierarchy) {
  switch (hierarchy) {
    case Hierarchy::flat:
      return {ascending_sms(device)};
    case Hierarchy::tpc:
      return tpcs_of(device);
    case Hierarchy::gpc:
      return gpcs_of(device);
  }
  std::map<std::vector<int>, int> labels;
  const auto told = told_of_sms(device, formula_of<Hierarchy>(hierarchy));
  return grouped(ascending_sms(device), [&](int sm) {
    return labels.try_emplace(told[sm], static_cast<int>(labels.size())).first->second;
  });
}

inline Grouping grouping_of(const Device& device, Hierarchy::Value hierarchy) {
  return {groups_of(device, hierarchy), device.sms};
}

/// The GPCs in an order for clusters of so many blocks, first to last.
inline std::vector<int> order_of_gpcs(const std::vector<std::vector<int>>& gpcs,
                                      ClusterGpcOrder::Value by, int cluster) {
  std::vector<int> order(gpcs.size());
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](int g) { return static_cast<int>(gpcs[g].size()); };
  switch (by) {
    case ClusterGpcOrder::smallest_first:
      std::ranges::stable_sort(order, {}, size);
      return order;
    case ClusterGpcOrder::largest_first:
      std::ranges::stable_sort(order, std::greater<>(), size);
      return order;
    case ClusterGpcOrder::lowest_sm:
      return order;
  }
  std::ranges::stable_sort(order, {}, [&](int g) {
    return order_by_formula<ClusterGpcOrder>(by,
                                             {size(g), g, static_cast<int>(gpcs.size()), cluster});
  });
  return order;
}

/// The position of each SM in an order: the inverse permutation.
inline std::vector<int> ranks_of(const std::vector<int>& order) {
  std::vector<int> ranks(order.size());
  for (int rank = 0; rank < static_cast<int>(order.size()); ++rank) ranks[order[rank]] = rank;
  return ranks;
}

/// The position of each group when groups are ordered by their first SM.
inline std::vector<int> group_ranks_of(const std::vector<std::vector<int>>& groups,
                                       const std::vector<int>& sm_ranks) {
  std::vector<int> order(sm_ranks.size(), -1);  // where the group's first SM is, the group
  for (int g = 0; g < std::ssize(groups); ++g) {
    int first = sm_ranks[groups[g][0]];
    for (const int sm : groups[g]) first = std::min(first, sm_ranks[sm]);
    order[first] = g;
  }
  std::erase(order, -1);
  return ranks_of(order);
}

}  // namespace cuvier
