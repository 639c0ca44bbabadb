#include "verify/order.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cuvier::verify {
namespace {

using Groups = std::vector<std::vector<int>>;

std::vector<int> concatenated(const Groups& groups) {
  std::vector<int> sms;
  for (const auto& group : groups) sms.insert(sms.end(), group.begin(), group.end());
  return sms;
}

/// The TPCs of a GPC, by their lowest SM.
Groups tpcs_in(const std::vector<int>& gpc, const Device& device) {
  Groups tpcs;
  for (const auto& tpc : groups_by(device.tpc_of_sm)) {
    std::vector<int> inside;
    for (const int sm : tpc) {
      if (std::ranges::binary_search(gpc, sm)) inside.push_back(sm);
    }
    if (!inside.empty()) tpcs.push_back(inside);
  }
  return tpcs;
}

/// The first TPC of every GPC, then the second of every GPC, and so on.
std::vector<int> round_the_gpcs(const Groups& gpcs, const Device& device) {
  std::vector<Groups> tpcs;
  for (const auto& gpc : gpcs) tpcs.push_back(tpcs_in(gpc, device));
  std::vector<int> sms;
  for (std::size_t round = 0; sms.size() < static_cast<std::size_t>(device.sms); ++round) {
    for (const Groups& of_gpc : tpcs) {
      if (round < of_gpc.size()) {
        sms.insert(sms.end(), of_gpc[round].begin(), of_gpc[round].end());
      }
    }
  }
  return sms;
}

std::vector<int> by_formula(const Formula& formula, const Device& device) {
  const Groups tpcs = groups_by(device.tpc_of_sm);
  const Groups gpcs = groups_by(device.gpc_of_sm);
  const auto index_in = [](const Groups& groups, int sm) {
    const auto has = [&](const auto& group) { return std::ranges::count(group, sm) > 0; };
    return std::ranges::find_if(groups, has) - groups.begin();
  };
  const auto place_in = [](const std::vector<int>& group, int sm) {
    return std::ranges::find(group, sm) - group.begin();
  };
  std::vector<std::vector<long>> keys;
  for (int sm = 0; sm < device.sms; ++sm) {
    const long tpc = index_in(tpcs, sm);
    std::vector<long> names = {sm, device.sms, tpc, static_cast<long>(tpcs.size()),
                               place_in(tpcs[tpc], sm)};
    if (!gpcs.empty()) {
      const long gpc = index_in(gpcs, sm);
      const Groups inside = tpcs_in(gpcs[gpc], device);
      for (const long more : {gpc, static_cast<long>(gpcs.size()), long{place_in(gpcs[gpc], sm)},
                              static_cast<long>(gpcs[gpc].size()), long{index_in(inside, sm)}}) {
        names.push_back(more);
      }
    }
    keys.push_back(formula.tuple(names));
  }
  std::vector<int> sms(device.sms);
  std::iota(sms.begin(), sms.end(), 0);
  std::ranges::stable_sort(sms, {}, [&](int sm) { return keys[sm]; });
  return sms;
}

std::vector<int> tie_break(const Mechanism& mechanism, const Device& device,
                           const std::vector<int>& learned) {
  if (const Formula* formula = mechanism.formula<"tie_break">())
    return by_formula(*formula, device);
  if (mechanism.is<"tie_break", "learned">()) return learned;
  const Groups tpcs = groups_by(device.tpc_of_sm);
  if (mechanism.is<"tie_break", "tpc_interleaved">()) return interleaved(tpcs);
  if (mechanism.is<"tie_break", "tpc_interleaved_odd_first">()) return interleaved(tpcs, true);
  std::vector<int> linear(device.sms);
  std::iota(linear.begin(), linear.end(), 0);
  if (mechanism.is<"tie_break", "linear">()) return linear;
  if (mechanism.is<"tie_break", "linear_reversed">()) return {linear.rbegin(), linear.rend()};
  Groups gpcs = groups_by(device.gpc_of_sm);
  if (mechanism.is<"tie_break", "gpc_round_robin">()) return round_the_gpcs(gpcs, device);
  if (mechanism.is<"tie_break", "gpc_smallest_first">()) {
    std::ranges::stable_sort(gpcs, {}, &std::vector<int>::size);
  }
  return concatenated(gpcs);
}

}  // namespace

std::vector<int> interleaved(const Groups& tpcs, bool first_last) {
  std::size_t largest = 0;
  for (const auto& tpc : tpcs) largest = std::max(largest, tpc.size());
  std::vector<int> sms;
  for (std::size_t round = 0; round < largest; ++round) {
    const std::size_t place = first_last ? (round + 1) % largest : round;
    for (const auto& tpc : tpcs) {
      if (place < tpc.size()) sms.push_back(tpc[place]);
    }
  }
  return sms;
}

SmOrder order_of(const Mechanism& mechanism, const Device& device,
                 const std::vector<int>& learned) {
  SmOrder order{tie_break(mechanism, device, learned), {}, {}};
  order.group_of_sm.assign(device.sms, 0);
  if (mechanism.is<"hierarchy", "flat">()) {
    order.groups = {order.sms};
    return order;
  }
  const auto& labels = mechanism.is<"hierarchy", "tpc">() ? device.tpc_of_sm : device.gpc_of_sm;
  std::map<int, int> group_of_label;
  for (const int sm : order.sms) {
    const auto [at, is_new] =
        group_of_label.emplace(labels[sm], static_cast<int>(order.groups.size()));
    if (is_new) order.groups.emplace_back();
    order.groups[at->second].push_back(sm);
    order.group_of_sm[sm] = at->second;
  }
  return order;
}

}  // namespace cuvier::verify
