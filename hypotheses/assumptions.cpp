#include "hypotheses/assumptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "hypotheses/scheduler/topology.h"
#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

template <class Rows>
std::string names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string axis_names() {
  std::vector<std::string_view> names;
  for (int axis = 0; axis < kAxes; ++axis) names.push_back(axis_info(axis).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

int axis_named(const std::string& name) {
  if (const auto axis = find_axis(name)) return *axis;
  throw Error(fmt::format("no axis is called {}; there are {}", in_quotes(name), axis_names()));
}

int value_named(int axis, const std::string& name) {
  if (const auto value = find_value(axis, name)) return *value;
  throw Error(fmt::format("{} has no value {}; it has {}", axis_info(axis).name, in_quotes(name),
                          names_of(axis_info(axis).values)));
}

const NamedHypothesis& hypothesis_named(const std::string& name) {
  const auto rows = named_hypotheses();
  const auto found = std::ranges::find(rows, name, &NamedHypothesis::name);
  if (found != rows.end()) return *found;
  throw Error(fmt::format("no hypothesis is called {}; there are {}, or write AXIS=VALUE",
                          in_quotes(name), names_of(rows)));
}

std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::string value_names(int axis, std::uint32_t values) {
  std::vector<std::string_view> names;
  for (int value = 0; value < axis_size(axis); ++value) {
    if (values >> value & 1) names.push_back(axis_info(axis).values[value].name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

[[noreturn]] void fail_to_narrow(int axis, std::uint32_t wanted, std::uint32_t allowed) {
  const AxisInfo& info = axis_info(axis);
  const std::string assumption = fmt::format("{}={}", info.name, value_names(axis, wanted));
  const int first = std::countr_zero(wanted);
  std::uint32_t on_any_device = 0;
  for (int value = 0; value < axis_size(axis); ++value) {
    if (info.values[value].needs == Needs::nothing) on_any_device |= std::uint32_t{1} << value;
  }
  const Needs needs = info.values[first].needs;
  if (needs != Needs::nothing && allowed == on_any_device) {
    throw Error(fmt::format("{} needs {}", assumption, not_given(needs, "the device")));
  }
  throw Error(fmt::format("{} leaves nothing: {} is already assumed to be {}", assumption,
                          info.name, value_names(axis, allowed)));
}

}  // namespace

Assumptions Assumptions::all(const Device& device) {
  Assumptions assumptions{};
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int value = 0; value < axis_size(axis); ++value) {
      if (available(device, axis, value)) assumptions.allowed[axis] |= std::uint32_t{1} << value;
    }
  }
  return assumptions;
}

void Assumptions::restrict_by(const std::string& text) {
  std::array<std::uint32_t, kAxes> wanted{};
  int axis = -1;  // of the last AXIS=
  for (const std::string& item : items_of(text)) {
    const std::size_t equals = item.find('=');
    if (equals != std::string::npos) axis = axis_named(item.substr(0, equals));
    if (axis >= 0) {
      wanted[axis] |= std::uint32_t{1}
                      << value_named(axis, item.substr(equals + 1));  // npos + 1: 0
      continue;
    }
    const Hypothesis& named = hypothesis_named(item).hypothesis;
    for (int i = 0; i < kAxes; ++i) wanted[i] |= std::uint32_t{1} << named.values[i];
  }
  for (int i = 0; i < kAxes; ++i) {
    if (wanted[i] == 0) continue;
    const std::uint32_t left = allowed[i] & wanted[i];
    if (left == 0) fail_to_narrow(i, wanted[i], allowed[i]);
    allowed[i] = left;
  }
}

std::vector<std::string> Assumptions::restrictions(const Device& device) const {
  const Assumptions all = Assumptions::all(device);
  std::vector<std::string> restrictions;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (allowed[axis] == all.allowed[axis]) continue;
    std::string text;
    for (int value = 0; value < axis_size(axis); ++value) {
      if (!allows(axis, value)) continue;
      text += fmt::format("{}{}", text.empty() ? "" : ",", axis_info(axis).values[value].name);
    }
    restrictions.push_back(fmt::format("{}={}", axis_info(axis).name, text));
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
  int axis = -1;  // of the item before
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t equals = items[i].find('=');
    if (equals != std::string::npos) {
      axis = axis_named(items[i].substr(0, equals));
    } else if (axis < 0 || !find_value(axis, items[i])) {
      const NamedHypothesis& named = hypothesis_named(items[i]);
      if (i > 0) {
        throw Error(fmt::format("{} fixes every axis: write it before all else", named.name));
      }
      hypothesis = named.hypothesis;
      continue;
    }
    const int value = value_named(axis, items[i].substr(equals + 1));  // npos + 1 is 0
    if (given[axis] && hypothesis.values[axis] != value) {
      const AxisInfo& info = axis_info(axis);
      throw Error(fmt::format("{} is given two values, {} and {}; one hypothesis has one",
                              info.name, info.values[hypothesis.values[axis]].name,
                              info.values[value].name));
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
    if (!axis) place.field(name).fail(fmt::format("is no axis; there are {}", axis_names()));
    const std::string text =
        json.is_number_integer() ? json.dump() : read_text(json, place.field(name));
    const auto value = find_value(*axis, text);
    if (!value) {
      place.field(name).fail(fmt::format("has no value {}; it has {}", in_quotes(text),
                                         names_of(axis_info(*axis).values)));
    }
    hypothesis.values[*axis] = static_cast<std::uint8_t>(*value);
  }
  return hypothesis;
}

nlohmann::ordered_json to_json(const Hypothesis& hypothesis) {
  Json json = Json::object();
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    json[std::string(info.name)] = std::string(info.values[hypothesis.values[axis]].name);
  }
  return json;
}

}  // namespace cuvier
