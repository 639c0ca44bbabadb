#include "hypotheses/assumptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "hypotheses/scheduler/topology.h"
#include "probes/an_error.h"
#include "probes/json_fields.h"
#include "probes/nearest_name.h"

namespace cuvier {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

std::vector<std::string_view> axis_names() {
  std::vector<std::string_view> names;
  for (int axis = 0; axis < kAxes; ++axis) names.push_back(axis_info(axis).name);
  return names;
}

int axis_named(const std::string& name) {
  if (const auto axis = find_axis(name)) return *axis;
  const auto names = axis_names();
  throw an_error("no axis is called {}; there are {}", in_quotes_with_hint(name, names),
                 fmt::join(names, ", "));
}

/// Whether the text is a formula of the axis if it is no value's name: it has an operator, begins
/// as a number does, or is one of the formulas' names.
bool may_be_formula(int axis, const std::string& text) {
  const FormulaInfo* info = axis_info(axis).formula;
  if (!info || text.empty()) return false;
  const bool is_word = text.find_first_not_of(letters) == std::string::npos;
  return !is_word || digits.find(text.front()) != std::string_view::npos ||
         std::ranges::find(info->names, text, &FormulaName::name) != info->names.end();
}

/// The axis's value of that name, or which is that formula; `fail` throws what the text is not.
int value_of(int axis, const std::string& text, const auto& fail) {
  if (const auto value = find_value(axis, text)) return *value;
  const AxisInfo& info = axis_info(axis);
  if (!may_be_formula(axis, text)) {
    const auto names = names_of(info.values);
    fail(fmt::format(
        "has no value {}; it has {}{}", in_quotes_with_hint(text, names), fmt::join(names, ", "),
        info.formula                                           ? ", or a formula"
        : text.find_first_not_of(letters) != std::string::npos ? "; it takes no formulas"
                                                               : ""));
  }
  try {
    return formula_value(axis, text);
  } catch (const Error& error) {
    fail(fmt::format("has no such formula: {}", error.what()));
    throw;
  }
}

int value_named(int axis, const std::string& text) {
  return value_of(axis, text, [&](const std::string& why) {
    throw an_error("{} {}", axis_info(axis).name, why);
  });
}

const NamedHypothesis& hypothesis_named(const std::string& name) {
  const auto rows = named_hypotheses();
  const auto found = std::ranges::find(rows, name, &NamedHypothesis::name);
  if (found != rows.end()) return *found;
  if (find_axis(name)) {
    throw an_error("{0} is an axis, not a hypothesis; write {1}=VALUE", in_quotes(name), name);
  }
  const auto names = names_of(rows);
  throw an_error("no hypothesis is called {}; there are {}, or write AXIS=VALUE",
                 in_quotes_with_hint(name, names), fmt::join(names, ", "));
}

/// What is between commas, but not those of a formula.
std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items(1);
  int open = 0;
  for (const char c : text) {
    open += (c == '(') - (c == ')');
    if (c == ',' && open <= 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

/// What an item says: AXIS=VALUE, or a VALUE of the axis before it, or a hypothesis (no axis).
struct Item {
  std::optional<int> axis;
  std::string value;
};
Item read_item(const std::string& text, std::optional<int> axis_before) {
  const std::size_t equals = text.find('=');
  const bool names_axis = equals != std::string::npos &&
                          text.find_first_not_of(letters) == equals &&
                          text.substr(equals, 2) != "==";
  if (names_axis) return {axis_named(text.substr(0, equals)), text.substr(equals + 1)};
  return {axis_before, text};
}

std::string value_names(int axis, std::uint32_t values) {
  std::vector<std::string_view> names;
  for (int value = 0; value < axis_size(axis); ++value) {
    if (values >> value & 1) names.push_back(axis_value(axis, value).name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

/// The axis's named values that every device has, a bit each.
std::uint32_t on_any_device(int axis) {
  std::uint32_t values = 0;
  for (int value = 0; value < named_values(axis); ++value) {
    if (axis_value(axis, value).needs == Needs::nothing) values |= std::uint32_t{1} << value;
  }
  return values;
}

/// Whether something was assumed of the axis.
bool is_narrowed(int axis, std::uint32_t allowed) {
  return (allowed & formula_values(axis)) != 0 || (on_any_device(axis) & ~allowed) != 0;
}

[[noreturn]] void fail_to_narrow(int axis, std::uint32_t wanted, std::uint32_t allowed) {
  const AxisInfo& info = axis_info(axis);
  const std::string assumption = fmt::format("{}={}", info.name, value_names(axis, wanted));
  const int first = std::countr_zero(wanted);
  const Needs needs = axis_value(axis, first).needs;
  if (needs != Needs::nothing && !is_narrowed(axis, allowed)) {
    throw an_error("{} needs {}", assumption, not_given(needs, "the device"));
  }
  throw an_error("{} leaves nothing: {} is already assumed to be {}", assumption, info.name,
                 value_names(axis, allowed));
}

}  // namespace

Assumptions Assumptions::without_last_resorts() const {
  Assumptions others = *this;
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::uint32_t rest = allowed[axis] & ~last_resorts(axis);
    if (rest != 0) others.allowed[axis] = rest;
  }
  return others;
}

Assumptions Assumptions::quick_to_refute() const {
  Assumptions quick = without_last_resorts();
  for (int axis = 0; axis < kAxes; ++axis)
    quick.allowed[axis] |= allowed[axis] & of_lone_tpcs(axis);
  return quick;
}

Assumptions Assumptions::all(const Device& device) {
  Assumptions assumptions{};
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int value = 0; value < named_values(axis); ++value) {
      if (available(device, axis, value)) assumptions.allowed[axis] |= std::uint32_t{1} << value;
    }
  }
  return assumptions;
}

void Assumptions::restrict_by(const std::string& text) {
  std::array<std::uint32_t, kAxes> wanted{};
  std::optional<int> axis;
  for (const std::string& item : items_of(text)) {
    const Item read = read_item(item, axis);
    axis = read.axis;
    if (!axis) {
      const Hypothesis& named = hypothesis_named(item).hypothesis;
      for (int i = 0; i < kAxes; ++i) wanted[i] |= std::uint32_t{1} << named.values[i];
    } else if (read.value == "named") {
      wanted[*axis] |= all_values(*axis) & ~formula_values(*axis);
    } else {
      wanted[*axis] |= std::uint32_t{1} << value_named(*axis, read.value);
    }
  }
  for (int i = 0; i < kAxes; ++i) {
    if (wanted[i] == 0) continue;
    std::uint32_t left = allowed[i] & wanted[i];
    // No device is without a formula; but what was assumed before stands.
    if (!is_narrowed(i, allowed[i])) left |= wanted[i] & formula_values(i);
    if (left == 0) fail_to_narrow(i, wanted[i], allowed[i]);
    allowed[i] = left;
  }
}

std::vector<std::string> Assumptions::restrictions(const Device& device) const {
  const Assumptions all = Assumptions::all(device);
  std::vector<std::string> restrictions;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (allowed[axis] == all.allowed[axis]) continue;
    restrictions.push_back(
        fmt::format("{}={}", axis_info(axis).name, value_names(axis, allowed[axis])));
  }
  return restrictions;
}

std::optional<Hypothesis> Assumptions::single() const {
  Hypothesis hypothesis;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!std::has_single_bit(allowed[axis])) return std::nullopt;
    hypothesis.values[axis] = static_cast<std::uint8_t>(std::countr_zero(allowed[axis]));
  }
  return hypothesis;
}

Hypothesis hypothesis_from_text(const std::string& text) {
  const std::vector<std::string> items = items_of(text);
  Hypothesis hypothesis;
  std::array<bool, kAxes> given{};
  std::optional<int> axis_before;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item item = read_item(items[i], axis_before);
    const bool is_value =
        item.axis && (item.value != items[i] || find_value(*item.axis, item.value) ||
                      may_be_formula(*item.axis, item.value));
    if (!is_value) {
      const NamedHypothesis& named = hypothesis_named(items[i]);
      if (i > 0) throw an_error("{} fixes every axis: write it before all else", named.name);
      hypothesis = named.hypothesis;
      continue;
    }
    axis_before = item.axis;
    const int axis = *item.axis;
    const int value = value_named(axis, item.value);
    if (given[axis] && hypothesis.values[axis] != value) {
      const AxisInfo& info = axis_info(axis);
      throw an_error("{} is given two values, {} and {}; one hypothesis has one", info.name,
                     axis_value(axis, hypothesis.values[axis]).name, axis_value(axis, value).name);
    }
    given[axis] = true;
    hypothesis.values[axis] = static_cast<std::uint8_t>(value);
  }
  return hypothesis;
}

Hypothesis hypothesis_from_json(const nlohmann::ordered_json& mechanism, const std::string& where,
                                const std::string& path) {
  const Place place(where, path);
  Fields(mechanism, place);
  Hypothesis hypothesis;
  for (const auto& [name, json] : mechanism.items()) {
    const auto axis = find_axis(name);
    if (!axis) place.field(name).fail("is no axis; there are {}", fmt::join(axis_names(), ", "));
    const Place at = place.field(name);
    const std::string text = json.is_number_integer() ? json.dump() : read_text(json, at);
    hypothesis.values[*axis] = static_cast<std::uint8_t>(
        value_of(*axis, text, [&](const std::string& why) { at.fail(why); }));
  }
  return hypothesis;
}

nlohmann::ordered_json to_json(const Hypothesis& hypothesis) {
  Json json = Json::object();
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    json[std::string(info.name)] = std::string(axis_value(axis, hypothesis.values[axis]).name);
  }
  return json;
}

}  // namespace cuvier
