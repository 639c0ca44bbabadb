#include "hypotheses/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "probes/an_error.h"

namespace cuvier {
namespace {

/// What is written about the values that given formulas are.
std::deque<std::string>& meanings() {
  static std::deque<std::string> meanings;
  return meanings;
}

/// As it is read, and not as it is typed.
std::string in_mathematics(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {" * ", " × "},  {" / ", " ÷ "},  {" <= ", " ≤ "},
      {" >= ", " ≥ "}, {" == ", " = "}, {" != ", " ≠ "}};
  for (const auto& [typed, read] : signs) {
    for (auto at = text.find(typed); at != std::string::npos; at = text.find(typed, at)) {
      text.replace(at, typed.size(), read);
    }
  }
  return text;
}

/// The values that given formulas are, by axis.
std::array<std::deque<AxisValue>, kAxes>& rows() {
  static std::array<std::deque<AxisValue>, kAxes> rows;
  return rows;
}

AxisValue row_of(const Formula& formula, const FormulaInfo& info) {
  const std::string& meaning =
      meanings().emplace_back("a formula: " + in_mathematics(formula.text));
  AxisValue row{formula.text, meaning, formula.text};
  for (int name = 0; name < std::ssize(info.names); ++name) {
    const Needs needs = info.names[name].needs;
    if (needs != Needs::nothing && formula.reads(name)) row.needs = needs;
  }
  return row;
}

/// "start" of "-start", "-start" of "start"; none where what orders is no single name, or another
/// value of the table says it.
std::optional<std::string> reversed(const AxisInfo& info, const AxisValue& value) {
  if (!info.formula || !info.formula->orders()) return std::nullopt;
  const bool is_negated = value.formula.starts_with('-');
  const std::string_view name = value.formula.substr(is_negated ? 1 : 0);
  const std::string text = is_negated ? std::string(name) : fmt::format("-{}", name);
  const auto says_so = [&](const AxisValue& each) {
    return each.formula == text || each.name == text;
  };
  const auto& names = info.formula->names;
  const bool is_name = std::ranges::find(names, name, &FormulaName::name) != names.end();
  if (!is_name || std::ranges::any_of(info.values, says_so)) return std::nullopt;
  return text;
}

/// The values that are reverses, by axis and index.
const std::array<std::map<int, AxisValue>, kAxes>& reverses() {
  static const auto all = [] {
    std::array<std::map<int, AxisValue>, kAxes> all;
    for (int axis = 0; axis < kAxes; ++axis) {
      const AxisInfo& info = axis_info(axis);
      for (int value = 0; value < named_values(axis); ++value) {
        const auto text = reversed(info, info.values[value]);
        if (!text) continue;
        Formula& reverse = detail::reverse_formulas[axis][kReverse + value];
        reverse = parse_formula(*info.formula, *text);
        all[axis][kReverse + value] = row_of(reverse, *info.formula);
      }
    }
    return all;
  }();
  return all;
}

}  // namespace

std::uint32_t values_under(const AxisLiteral& literal, int of) {
  const int axis = *find_axis(literal.axis);
  std::uint32_t values = literal.values;
  if (literal.no_formula) return values;
  for (int value = named_values(axis); value < axis_size(axis); ++value) {
    const FormulaInfo& info = *axis_info(axis).formula;
    const Formula& formula = formula_of(axis, value);
    bool could_read = false;
    bool reads = false;
    for (int name = 0; name < std::ssize(info.names); ++name) {
      const auto& from = info.names[name].from;
      if (std::ranges::find(from, axis_info(of).name) == from.end()) continue;
      could_read = true;
      reads |= formula.reads(name);
    }
    if (reads || !could_read) values |= std::uint32_t{1} << value;
  }
  return values;
}

std::optional<int> reverse_of(int axis, int value) {
  const int reverse = kReverse + value;
  return reverses()[axis].contains(reverse) ? std::optional(reverse) : std::nullopt;
}

const AxisValue& axis_value(int axis, int value) {
  static constexpr AxisValue on_trial{.name = "on trial", .meaning = "a rule on trial"};
  if (value >= kReverse) return reverses()[axis].at(value);
  const int given = value - named_values(axis);
  if (given < 0) return axis_info(axis).values[value];
  return given < std::ssize(rows()[axis]) ? rows()[axis][given] : on_trial;
}

std::optional<int> find_value(int axis, std::string_view name) {
  for (int value = 0; value < axis_size(axis); ++value) {
    if (axis_value(axis, value).name == name) return value;
  }
  return std::nullopt;
}

int formula_value(int axis, const std::string& text) {
  const AxisInfo& info = axis_info(axis);
  if (!info.formula) throw an_error("{} takes no formulas", info.name);
  Formula formula = parse_formula(*info.formula, text);
  if (const auto known = find_value(axis, formula.text)) return *known;
  const int value = axis_size(axis);
  if (value == kMostValues) throw an_error("{} can have {} values at most", info.name, kMostValues);
  const Formula& kept = detail::given_formulas[axis].emplace_back(std::move(formula));
  rows()[axis].push_back(row_of(kept, *info.formula));
  return value;
}

TrialValue::TrialValue(int axis, Formula formula)
    : axis_(axis), value_(axis_size(axis)), formula_(std::move(formula)) {
  latest_ = this;
  axes_ |= std::uint64_t{1} << axis;
}

TrialValue::TrialValue(int axis, std::function<int(std::span<const int>)> rule, std::uint32_t names)
    : TrialValue(axis, [&] {
        Formula formula;
        formula.nodes = {{Formula::Op::constant}};
        formula.parts = {0};
        formula.ranges = {{-Formula::kFurthest, Formula::kFurthest}};
        formula.names = names & ~std::uint32_t{0} >> (32 - axis_info(axis).formula->names.size());
        formula.instead = std::move(rule);
        return formula;
      }()) {}

TrialValue::~TrialValue() {
  latest_ = before_;
  axes_ = axes_before_;
}

}  // namespace cuvier
