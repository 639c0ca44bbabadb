#include "hypotheses/scheduler/topology.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuvier {
namespace {

/// The rule of any value but `learned`.
const Formula& rule_of(TieBreak::Value tie_break) {
  if (is_formula<TieBreak>(tie_break)) return formula_of<TieBreak>(tie_break);
  static const auto named = [] {
    std::vector<Formula> rules;
    for (const AxisValue& value : TieBreak::values) {
      const std::string_view rule = value.formula.empty() ? "sm" : value.formula;  // of `learned`
      rules.push_back(parse_formula(TieBreak::formula, std::string(rule)));
    }
    return rules;
  }();
  return named[tie_break];
}

bool has_lone_tpcs(const Device& device) {
  if (device.gpc_of_sm.empty()) return false;
  return std::ranges::count_if(gpcs_of(device), [&](const std::vector<int>& gpc) {
           return is_one_tpc(device, gpc);
         }) >= 2;
}

/// What is needed to say what a value does there.
bool gives(const Device& device, Needs needs) {
  const bool of_gpcs = needs == Needs::gpc_map || of_lone_tpcs(needs);
  return !(of_gpcs && device.gpc_of_sm.empty()) &&
         !(needs == Needs::clusters && device.largest_cluster() == 0);
}

}  // namespace

std::vector<int> named_order(const Device& device, TieBreak::Value tie_break) {
  std::vector<int> order = ascending_sms(device);
  if (tie_break == TieBreak::learned) return order;
  const auto keys = told_of_sms(device, rule_of(tie_break));
  std::ranges::stable_sort(
      order, {}, [&](int sm) -> const auto& { return keys[sm]; });
  return order;
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
  switch (axis_value(axis, value).needs) {
    case Needs::tpcs:
      return std::ssize(groups_of(device, Hierarchy::tpc)) < device.sms;
    case Needs::lone_tpcs:
      return has_lone_tpcs(device);
    case Needs::lone_tpcs_and_clusters:
      return has_lone_tpcs(device) && device.largest_cluster() > 0;
    default:
      return predictable(device, axis, value);
  }
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
  if (needs == Needs::lone_tpcs) {
    return fmt::format("a gpc_of_sm with two GPCs of a single TPC, which {} does not give", device);
  }
  if (needs == Needs::lone_tpcs_and_clusters) {
    return fmt::format(
        "max_cluster, and a gpc_of_sm with two GPCs of a single TPC, which {} does not both give",
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
