#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "hypotheses/axes/cluster_gpc_order.h"
#include "hypotheses/axes/hierarchy.h"
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

/// The SMs of each TPC or GPC, ascending, the groups by their lowest SM; one group of all for
/// Hierarchy::flat. What groups are called says no more than which SMs are together.
inline std::vector<std::vector<int>> groups_of(const Device& device, Hierarchy::Value hierarchy) {
  return grouped(ascending_sms(device), [&](int sm) {
    if (hierarchy == Hierarchy::flat) return 0;
    return hierarchy == Hierarchy::tpc ? device.tpc_of(sm) : device.gpc_of_sm[sm];
  });
}

/// The same, and in which group each SM is.
struct Grouping {
  std::vector<std::vector<int>> members;
  std::vector<int> of_sm;
};

inline Grouping grouping_of(const Device& device, Hierarchy::Value hierarchy) {
  Grouping grouping{groups_of(device, hierarchy), std::vector<int>(device.sms)};
  for (std::size_t g = 0; g < grouping.members.size(); ++g) {
    for (const int sm : grouping.members[g]) grouping.of_sm[sm] = static_cast<int>(g);
  }
  return grouping;
}

/// The GPCs in an order for clusters, first to last.
inline std::vector<int> order_of_gpcs(const std::vector<std::vector<int>>& gpcs,
                                      ClusterGpcOrder::Value by) {
  std::vector<int> order(gpcs.size());
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](int g) { return static_cast<int>(gpcs[g].size()); };
  switch (by) {
    case ClusterGpcOrder::smallest_first:
      std::ranges::stable_sort(order, {}, size);
      break;
    case ClusterGpcOrder::largest_first:
      std::ranges::stable_sort(order, std::greater<>(), size);
      break;
    case ClusterGpcOrder::lowest_sm:
      break;
  }
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
  std::vector<std::pair<int, int>> first;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    int rank = sm_ranks[groups[g][0]];
    for (const int sm : groups[g]) rank = std::min(rank, sm_ranks[sm]);
    first.emplace_back(rank, g);
  }
  std::ranges::sort(first);
  std::vector<int> order;
  for (const auto& [rank, group] : first) order.push_back(group);
  return ranks_of(order);
}

}  // namespace cuvier
