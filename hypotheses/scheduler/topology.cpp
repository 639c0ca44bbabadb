#include "hypotheses/scheduler/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

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

/// The first SM of every TPC, or they last; between them the second of every one, then the third.
std::vector<int> interleaved(const Device& device, bool first_last) {
  const auto at = whereabouts(device);
  return sorted_by(joined(tpcs_of(device)), [&](int sm) {
    const int place = at[sm].place_in_tpc;
    return place == 0 && first_last ? device.sms : place;
  });
}

/// The n-th TPC of every GPC, both of its SMs, goes before any (n+1)-th.
std::vector<int> gpc_round_robin(const Device& device) {
  const auto at = whereabouts(device);
  return sorted_by(joined(gpcs_of(device)), [&](int sm) { return at[sm].tpc_in_gpc; });
}

bool gives(const Device& device, Needs needs) {
  return !(needs == Needs::gpc_map && device.gpc_of_sm.empty()) &&
         !(needs == Needs::clusters && device.largest_cluster() == 0);
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
      return joined(gpcs_of(device));
    case TieBreak::gpc_smallest_first: {
      Groups groups = gpcs_of(device);
      std::ranges::stable_sort(groups, {}, &std::vector<int>::size);
      return joined(groups);
    }
    case TieBreak::gpc_round_robin:
      return gpc_round_robin(device);
    case TieBreak::linear:
    case TieBreak::learned:
      return ascending_sms(device);
  }
  const auto keys = told_of_sms(device, formula_of<TieBreak>(tie_break));
  return sorted_by(ascending_sms(device), [&](int sm) { return keys[sm]; });
}

std::uint32_t given_names(const Device& device, const FormulaInfo& info) {
  std::uint32_t given = 0;
  for (std::size_t n = 0; n < info.names.size(); ++n) {
    if (gives(device, info.names[n].needs)) given |= std::uint32_t{1} << n;
  }
  return given;
}

bool predictable(const Device& device, int axis, int value) {
  return gives(device, axis_value(axis, value).needs);
}

bool available(const Device& device, int axis, int value) {
  if (axis_value(axis, value).needs != Needs::tpcs) return predictable(device, axis, value);
  return std::ssize(groups_of(device, Hierarchy::tpc)) < device.sms;
}

bool concerns(const Device& device, int axis) {
  for (int value = 1; value < axis_size(axis); ++value) {
    if (available(device, axis, value)) return true;
  }
  return false;
}

std::string not_given(Needs needs, const std::string& device) {
  if (needs == Needs::tpcs) {
    return fmt::format("TPCs of several SMs, which {} has not: there, hierarchy=flat says the same",
                       device);
  }
  if (needs == Needs::clusters) {
    return fmt::format(
        "max_cluster and gpc_of_sm, which {} does not both give: use a device file that has them",
        device);
  }
  return fmt::format("gpc_of_sm, which {} does not give: use a device file that has it", device);
}

}  // namespace cuvier
