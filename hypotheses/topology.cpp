#include "hypotheses/topology.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace cuvier {
namespace {

std::vector<std::vector<int>> grouped(const Device& device, auto group_of) {
  std::map<int, std::vector<int>> groups;
  for (int sm = 0; sm < device.sms; ++sm) groups[group_of(sm)].push_back(sm);
  std::vector<std::vector<int>> result;
  for (auto& [index, sms] : groups) result.push_back(std::move(sms));
  return result;
}

std::vector<std::vector<int>> tpcs(const Device& device) {
  return grouped(device, [&](int sm) { return device.tpc_of(sm); });
}

std::vector<std::vector<int>> gpcs(const Device& device) {
  return grouped(device, [&](int sm) { return device.gpc_of_sm[sm]; });
}

/// The SMs by what `key` makes of them; ties in ascending order.
std::vector<int> sorted_by(const Device& device, auto key) {
  std::vector<int> order(device.sms);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, key);
  return order;
}

/// Each SM's position within its group.
std::vector<int> position_in(const std::vector<std::vector<int>>& groups, int sms) {
  std::vector<int> position(sms);
  for (const auto& group : groups) {
    for (int i = 0; i < static_cast<int>(group.size()); ++i) position[group[i]] = i;
  }
  return position;
}

std::vector<int> interleaved(const Device& device, int first) {
  const auto position = position_in(tpcs(device), device.sms);
  return sorted_by(device, [&](int sm) {
    const int turn = (position[sm] + device.sms_per_tpc - first) % device.sms_per_tpc;
    return std::pair(turn, device.tpc_of(sm));
  });
}

std::vector<int> gpc_round_robin(const Device& device) {
  // The n-th TPC of its GPC, both of its SMs, goes before every (n+1)-th.
  std::vector<int> turn(device.sms);
  for (const auto& gpc : gpcs(device)) {
    std::vector<int> seen;
    for (const int sm : gpc) {
      const int tpc = device.tpc_of(sm);
      const auto found = std::ranges::find(seen, tpc);
      turn[sm] = static_cast<int>(found - seen.begin());
      if (found == seen.end()) seen.push_back(tpc);
    }
  }
  return sorted_by(device, [&](int sm) { return std::pair(turn[sm], device.gpc_of_sm[sm]); });
}

}  // namespace

std::vector<std::vector<int>> groups_of(const Device& device, Hierarchy::Value hierarchy) {
  switch (hierarchy) {
    case Hierarchy::tpc:
      return tpcs(device);
    case Hierarchy::gpc:
      return gpcs(device);
    case Hierarchy::flat:
      break;
  }
  return grouped(device, [](int) { return 0; });
}

std::vector<int> named_order(const Device& device, TieBreak::Value tie_break) {
  switch (tie_break) {
    case TieBreak::tpc_interleaved:
      return interleaved(device, 0);
    case TieBreak::tpc_interleaved_odd_first:
      return interleaved(device, 1);
    case TieBreak::linear_reversed:
      return sorted_by(device, [](int sm) { return -sm; });
    case TieBreak::gpc_major:
      return sorted_by(device, [&](int sm) { return device.gpc_of_sm[sm]; });
    case TieBreak::gpc_smallest_first: {
      std::map<int, int> size;
      for (const int gpc : device.gpc_of_sm) ++size[gpc];
      return sorted_by(device, [&](int sm) {
        return std::pair(size[device.gpc_of_sm[sm]], device.gpc_of_sm[sm]);
      });
    }
    case TieBreak::gpc_round_robin:
      return gpc_round_robin(device);
    case TieBreak::linear:
    case TieBreak::learned:
      break;
  }
  return sorted_by(device, [](int) { return 0; });
}

std::vector<int> ranks_of(const std::vector<int>& order) {
  std::vector<int> ranks(order.size());
  for (int rank = 0; rank < static_cast<int>(order.size()); ++rank) ranks[order[rank]] = rank;
  return ranks;
}

std::vector<int> group_ranks_of(const std::vector<std::vector<int>>& groups,
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

bool available(const Device& device, int axis, int value) {
  return !axis_info(axis).values[value].needs_gpc_map || !device.gpc_of_sm.empty();
}

}  // namespace cuvier
