#include "reports/document/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "hypotheses/assumptions.h"
#include "probes/mapped.h"

namespace cuvier {

std::string count_words(double count) {
  if (count >= 1e6) {
    std::string text = fmt::format("{:.1e}", count);
    text.erase(std::remove(text.begin(), text.end(), '+'), text.end());
    const std::size_t exponent = text.find('e') + 1;
    text.erase(exponent, text.find_first_not_of('0', exponent) - exponent);
    return text;
  }
  return all_digits(std::llrint(count));
}

std::string all_digits(std::int64_t count) {
  std::string digits = fmt::format("{}", count);
  const int first = count < 0 ? 1 : 0;
  for (auto at = static_cast<long>(digits.size()) - 3; at > first; at -= 3) digits.insert(at, ",");
  return digits;
}

std::string counted(double count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return fmt::format("{} {}{}", count_words(count), many.empty() ? one : many,
                     many.empty() ? "s" : "");
}

std::string without_controls(std::string_view text, bool keeps_lines) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_kept =
        (byte >= 0x20 && byte != 0x7f) || (keeps_lines && (c == '\n' || c == '\t'));
    if (is_kept) {
      safe += c;
    } else {
      safe += fmt::format("\\x{:02x}", byte);
    }
  }
  return safe;
}

std::string duration_words(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string roughly(double seconds) {
  if (seconds < 57.5) return fmt::format("{:.0f} s", std::max(1.0, std::round(seconds / 5)) * 5);
  if (seconds < 3570) return fmt::format("{:.0f} min", std::max(1.0, std::round(seconds / 60)));
  return fmt::format("{:.1f} h", seconds / 3600);
}

double rounded_seconds(double seconds) { return std::round(seconds * 1000) / 1000; }

nlohmann::ordered_json json_number(double value) {
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && value <= largest_exact) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

std::string runs_words(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}", numbers[i]);
    std::size_t end = i + 1;  // of the run that begins here
    const int step = end < numbers.size() ? numbers[end] - numbers[i] : 0;
    while (end < numbers.size() && numbers[end] - numbers[end - 1] == step) ++end;
    const std::size_t shortest = step == 1 ? 3 : step == 0 ? 5 : 4;  // worth shortening
    if (end - i < shortest) {
      ++i;
      continue;
    }
    text += step == 0   ? fmt::format(" ({} times)", end - i)
            : step == 1 ? fmt::format("..{}", numbers[end - 1])
                        : fmt::format(",{}..{}", numbers[i + 1], numbers[end - 1]);
    i = end;
  }
  return text.empty() ? "-" : text;
}

std::string model_words(const Hypothesis& hypothesis) {
  for (const NamedHypothesis& named : named_hypotheses()) {
    if (named.hypothesis.values == hypothesis.values) return std::string(named.name);
  }
  return describe(hypothesis) + " (the rest as in algorithm-1)";
}

std::string value_name(int axis, int value) { return std::string(axis_value(axis, value).name); }

std::string value_words(int axis, int value) {
  return fmt::format("{}={}", axis_info(axis).name, value_name(axis, value));
}

std::vector<std::string> value_list(int axis, const std::vector<int>& values) {
  return mapped(values, [&](int value) { return value_name(axis, value); });
}

std::string value_names(int axis, const std::vector<int>& values) {
  return fmt::format("{}", fmt::join(value_list(axis, values), ", "));
}

std::string value_meaning(int axis, int value) {
  return fmt::format("{} ({})", axis_value(axis, value).meaning, axis_value(axis, value).name);
}

std::string value_sentence(int axis, int value) {
  const AxisInfo& info = axis_info(axis);
  const std::string_view meaning = axis_value(axis, value).meaning;
  const bool has_a_name = value < named_values(axis);  // otherwise it is a formula
  std::string text = !has_a_name           ? fmt::format("{}: {}", info.meaning, meaning)
                     : info.begins.empty() ? std::string(meaning)
                                           : fmt::format("{} {}", info.begins, meaning);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, int indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i + 1 < row.size() ? fmt::format("{:<{}}  ", row[i], widths[i]) : row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace cuvier
