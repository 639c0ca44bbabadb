#include "hypotheses/scheduler/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "hypotheses/formulas/evaluate.h"

namespace cuvier {
namespace {

using Groups = std::vector<std::vector<int>>;

/// The groups' SMs, group by group.
std::vector<int> joined(const Groups& groups) {
  std::vector<int> order;
  for (const auto& group : groups) order.insert(order.end(), group.begin(), group.end());
  return order;
}

/// The same by what `key` makes of an SM; ties as they were.
std::vector<int> sorted_by(std::vector<int> order, auto key) {
  std::ranges::stable_sort(order, {}, key);
  return order;
}

/// Where an SM is among its device's, by the names of TieBreak.
struct Whereabouts {
  int sm = 0;
  int sms = 0;
  int tpc = 0;
  int tpcs = 0;
  int place_in_tpc = 0;
  int gpc = 0;
  int gpcs = 0;
  int place_in_gpc = 0;
  int sms_of_gpc = 0;
  int tpc_in_gpc = 0;

  std::array<int, std::size(TieBreak::names)> values() const {
    return {sm, sms, tpc, tpcs, place_in_tpc, gpc, gpcs, place_in_gpc, sms_of_gpc, tpc_in_gpc};
  }
};

std::vector<Whereabouts> whereabouts(const Device& device) {
  std::vector<Whereabouts> all(device.sms);
  for (int sm = 0; sm < device.sms; ++sm) {
    all[sm].sm = sm;
    all[sm].sms = device.sms;
  }
  const Groups tpcs = groups_of(device, Hierarchy::tpc);
  for (int tpc = 0; tpc < std::ssize(tpcs); ++tpc) {
    for (int place = 0; place < std::ssize(tpcs[tpc]); ++place) {
      Whereabouts& at = all[tpcs[tpc][place]];
      at.tpc = tpc;
      at.tpcs = static_cast<int>(tpcs.size());
      at.place_in_tpc = place;
    }
  }
  if (device.gpc_of_sm.empty()) return all;
  const Groups gpcs = groups_of(device, Hierarchy::gpc);
  for (int gpc = 0; gpc < std::ssize(gpcs); ++gpc) {
    for (int place = 0; place < std::ssize(gpcs[gpc]); ++place) {
      Whereabouts& at = all[gpcs[gpc][place]];
      at.gpc = gpc;
      at.gpcs = static_cast<int>(gpcs.size());
      at.place_in_gpc = place;
      at.sms_of_gpc = static_cast<int>(gpcs[gpc].size());
    }
    const Groups its_tpcs = grouped(gpcs[gpc], [&](int sm) { return all[sm].tpc; });
    for (int tpc = 0; tpc < std::ssize(its_tpcs); ++tpc) {
      for (const int sm : its_tpcs[tpc]) all[sm].tpc_in_gpc = tpc;
    }
  }
  return all;
}

/// The first SM of every TPC, or they last; between them the second of every one, then the third.
std::vector<int> interleaved(const Device& device, bool first_last) {
  const auto at = whereabouts(device);
  return sorted_by(joined(groups_of(device, Hierarchy::tpc)), [&](int sm) {
    const int place = at[sm].place_in_tpc;
    return place == 0 && first_last ? device.sms : place;
  });
}

/// The n-th TPC of every GPC, both of its SMs, goes before any (n+1)-th.
std::vector<int> gpc_round_robin(const Device& device) {
  const auto at = whereabouts(device);
  return sorted_by(joined(groups_of(device, Hierarchy::gpc)),
                   [&](int sm) { return at[sm].tpc_in_gpc; });
}

std::vector<int> order_by(const Formula& formula, const Device& device) {
  std::vector<std::vector<int>> keys;
  for (const Whereabouts& sm : whereabouts(device)) {
    const auto names = sm.values();
    keys.push_back(Evaluation<int, bool>(formula, names).numbers());
  }
  return sorted_by(ascending_sms(device), [&](int sm) { return keys[sm]; });
}

}  // namespace

std::vector<int> named_order(const Device& device, TieBreak::Value tie_break) {
  switch (tie_break) {
    case TieBreak::tpc_interleaved:
      return interleaved(device, false);
    case TieBreak::tpc_interleaved_odd_first:
      return interleaved(device, true);
    case TieBreak::linear_reversed:
      return sorted_by(ascending_sms(device), std::negate<>());
    case TieBreak::gpc_major:
      return joined(groups_of(device, Hierarchy::gpc));
    case TieBreak::gpc_smallest_first: {
      Groups groups = groups_of(device, Hierarchy::gpc);
      std::ranges::stable_sort(groups, {}, &std::vector<int>::size);
      return joined(groups);
    }
    case TieBreak::gpc_round_robin:
      return gpc_round_robin(device);
    case TieBreak::linear:
    case TieBreak::learned:
      return ascending_sms(device);
  }
  return order_by(formula_of<TieBreak>(tie_break), device);
}

bool available(const Device& device, int axis, int value) {
  switch (axis_value(axis, value).needs) {
    case Needs::gpc_map:
      return !device.gpc_of_sm.empty();
    case Needs::clusters:
      return device.largest_cluster() > 0;
    case Needs::nothing:
      break;
  }
  return true;
}

bool concerns(const Device& device, int axis) {
  for (int value = 1; value < axis_size(axis); ++value) {
    if (available(device, axis, value)) return true;
  }
  return false;
}

std::string not_given(Needs needs, const std::string& device) {
  return needs == Needs::clusters
             ? fmt::format(
                   "max_cluster and gpc_of_sm, which {} does not both give: use a device "
                   "file that has them",
                   device)
             : fmt::format("gpc_of_sm, which {} does not give: use a device file that has it",
                           device);
}

}  // namespace cuvier
