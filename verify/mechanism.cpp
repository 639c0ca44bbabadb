#include "verify/mechanism.h"

#include <fmt/format.h>

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

Mechanism Mechanism::algorithm_1() {
  Mechanism mechanism;
  for (int axis = 0; axis < axis_count; ++axis) {
    mechanism[axis] = value_of(axis, std::string(value_at(axis, 0).name));
  }
  return mechanism;
}

}  // namespace cuvier::verify
