#include "verify/space.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/unreadable.h"

namespace cuvier::verify {

Needs needs_of(int axis, int named) {
  const std::string_view name = axes[axis].name;
  const std::string_view value = axes[axis].values[named];
  if (value == "gpc" || value.starts_with("gpc_")) return Needs::gpcs;
  return name.starts_with("cluster_") && named > 0 ? Needs::clusters : Needs::nothing;
}

bool is_last_resort(std::string_view value) {
  return value == "learned" || value == "drifting" || value == "drifting_from_two";
}

Space::Space(const Device& device) {
  const bool has_gpcs = !device.gpc_of_sm.empty();
  const bool has_clusters = has_gpcs && device.max_cluster > 0;
  for (int axis = 0; axis < axis_count; ++axis) {
    for (int named = 0; named < static_cast<int>(axes[axis].values.size()); ++named) {
      const Needs needs = needs_of(axis, named);
      if ((needs == Needs::gpcs && !has_gpcs) || (needs == Needs::clusters && !has_clusters))
        continue;
      auto& list = is_last_resort(axes[axis].values[named]) ? last_resorts_ : values_;
      list[axis].push_back({named, nullptr});
    }
  }
}

Value Space::value(int axis, const std::string& text, const std::string& where) {
  const int named = find_value(axis, text);
  if (named >= 0) return {named, nullptr};
  const auto same = std::ranges::find_if(formulas_, [&](const Written& written) {
    return written.axis == axis && written.text == text;
  });
  if (same != formulas_.end()) return {-1, same->formula.get()};
  if (axes[axis].formula.empty()) {
    throw Unreadable(fmt::format("{}: {} has no value {}", where, axes[axis].name, text));
  }
  try {
    formulas_.push_back({axis, text, std::make_unique<Formula>(text, axes[axis].formula)});
  } catch (const Unreadable& error) {
    throw Unreadable(fmt::format("{}: {}: {}", where, axes[axis].name, error.what()));
  }
  return {-1, formulas_.back().formula.get()};
}

std::string Space::text(int axis, const Value& value) const {
  if (!value.formula) return std::string(axes[axis].values[value.named]);
  return std::ranges::find_if(
             formulas_,
             [&](const Written& written) { return written.formula.get() == value.formula; })
      ->text;
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
    (is_last_resort(one) ? last_resorts_ : values_)[axis].push_back(value(axis, one, where));
    one.clear();
  }
}

bool Space::consider(int axis, std::string_view last_resort) {
  const Value value{find_value(axis, last_resort), nullptr};
  if (std::ranges::count(last_resorts_[axis], value) == 0) return false;
  values_[axis] = {value};
  return true;
}

bool Space::has_drift() const {
  constexpr int axis = axis_of<"pairs_in_flight">();
  return std::ranges::any_of(values_[axis], [](const Value& value) {
    return !value.formula && is_last_resort(axes[axis].values[value.named]);
  });
}

double Space::combinations() const {
  double product = 1;
  for (int axis = 0; axis < axis_count; ++axis) {
    product *= static_cast<double>(values_[axis].size() + last_resorts_[axis].size());
  }
  return product;
}

Mechanism Space::undecided() const {
  Mechanism mechanism = Mechanism::undecided();
  for (int axis = 0; axis < axis_count; ++axis) {
    if (values_[axis].size() == 1) mechanism.decide(axis, values_[axis].front());
    for (const Value& value : values_[axis]) {
      if (value.formula) mechanism.may_be_formula(axis);
    }
  }
  return mechanism;
}

}  // namespace cuvier::verify
