#include "verify/mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>

#include "verify/fields.h"

namespace cuvier::verify {

const Value* value_of(int axis, const std::string& text, const std::string& where) {
  static std::map<std::pair<int, std::string>, Value> values;
  const auto found = values.find({axis, text});
  if (found != values.end()) return &found->second;
  const AxisRow& row = axes[axis];
  Value value{text, find_value(axis, text), {}};
  std::string rule = text;
  std::string names(row.formula);
  if (value.named >= 0) {
    rule = value_at(axis, value.named).rule;
    names += fmt::format("{}{}", names.empty() ? "" : " ", row.more);
  } else if (names.empty()) {
    throw Unreadable(fmt::format("{}: {} has no value {}", where, row.name, text));
  }
  try {
    if (!rule.empty()) value.rule.emplace(rule, names);
  } catch (const Unreadable& error) {
    throw Unreadable(fmt::format("{}: {}: {}", where, row.name, error.what()));
  }
  return &values.emplace(std::pair(axis, text), std::move(value)).first->second;
}

const std::vector<std::pair<int, std::vector<std::string>>>& last_resorts_in_turn() {
  // A drift from two picks in flight explains less than one from a single pick.
  static const std::vector<std::pair<int, std::vector<std::string>>> all = {
      {Axis("pairs_in_flight"), {"drifting_from_two", "drifting"}},
      {Axis("tie_break"), {"learned"}}};
  return all;
}

bool needs_lone_tpcs(std::string_view value) {
  static const std::set<std::string_view> all = {
      "lone_tpcs_first", "by_gpc",       "when_idle_before",   "twice_the_blocks", "ring",
      "eight",           "pass_by_pass", "passed_on_lone_tpcs"};
  return all.contains(value);
}

bool is_last_resort(std::string_view value) {
  return needs_lone_tpcs(value) ||
         std::ranges::any_of(last_resorts_in_turn(), [&](const auto& of_axis) {
           return std::ranges::count(of_axis.second, value) > 0;
         });
}

Space::Space(const Device& device) {
  const bool has_gpcs = !device.gpc_of_sm.empty();
  const bool has_clusters = has_gpcs && device.max_cluster > 0;
  const std::set<int> tpcs(device.tpc_of_sm.begin(), device.tpc_of_sm.end());
  std::map<int, std::set<int>> tpcs_of_gpcs;
  for (std::size_t sm = 0; sm < device.gpc_of_sm.size(); ++sm) {
    tpcs_of_gpcs[device.gpc_of_sm[sm]].insert(device.tpc_of_sm[sm]);
  }
  const auto lone_tpcs =
      std::ranges::count_if(tpcs_of_gpcs, [](const auto& gpc) { return gpc.second.size() == 1; });
  for (int axis = 0; axis < axis_count; ++axis) {
    for (int place = 0; !value_at(axis, place).name.empty(); ++place) {
      const std::string_view name = value_at(axis, place).name;
      const bool is_of_clusters = axes[axis].name.starts_with("cluster_") && place > 0;
      const bool lacks = name.starts_with("gpc") ? !has_gpcs : is_of_clusters && !has_clusters;
      if (lacks || (needs_lone_tpcs(name) && lone_tpcs < 2)) continue;
      // Where each SM is a TPC, it would say what `flat` does.
      if (axes[axis].name == "hierarchy" && name == "tpc" && std::ssize(tpcs) == device.sms) {
        continue;
      }
      (is_last_resort(name) ? last_resorts_ : values_)[axis].push_back(
          value_of(axis, std::string(name)));
    }
  }
}

Space::Space(const Mechanism& hypothesis) {
  for (int axis = 0; axis < axis_count; ++axis) values_[axis] = {hypothesis[axis]};
}

void Space::restrict_to(const std::string& assumption, const std::string& where) {
  const std::size_t equals = assumption.find('=');
  const int axis = find_axis(assumption.substr(0, equals));
  if (equals == std::string::npos || axis < 0) {
    throw Unreadable(fmt::format("{}: must be AXIS=VALUE,VALUE, not {}", where, assumption));
  }
  values_[axis].clear();
  last_resorts_[axis].clear();
  int depth = 0;
  std::string one;
  for (const char c : assumption.substr(equals + 1) + ',') {
    depth += (c == '(') - (c == ')');
    if (c != ',' || depth > 0) {
      one += c;
      continue;
    }
    (is_last_resort(one) ? last_resorts_ : values_)[axis].push_back(value_of(axis, one, where));
    one.clear();
  }
}

void Space::consider_lone_tpcs() {
  for (int axis = 0; axis < axis_count; ++axis) {
    const auto plain = std::ranges::stable_partition(
        last_resorts_[axis], [](const Value* value) { return needs_lone_tpcs(value->text); });
    values_[axis].insert(values_[axis].end(), last_resorts_[axis].begin(), plain.begin());
    last_resorts_[axis].erase(last_resorts_[axis].begin(), plain.begin());
    // As tables have them, formulas behind.
    std::ranges::stable_sort(values_[axis], {}, [](const Value* value) {
      return value->named < 0 ? INT_MAX : value->named;
    });
  }
}

bool Space::consider(int axis, const std::string& last_resort) {
  const Value* value = value_of(axis, last_resort);
  if (std::ranges::count(last_resorts_[axis], value) == 0) return false;
  values_[axis] = {value};
  return true;
}

double Space::combinations() const {
  double product = 1;
  for (int axis = 0; axis < axis_count; ++axis) {
    product *= static_cast<double>(values_[axis].size() + last_resorts_[axis].size());
  }
  return product;
}

}  // namespace cuvier::verify
