#include "cli/number_argument.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// The number that the whole text is, if it is one.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

/// Without a name of its own in help texts, which say what the option is.
template <class Check>
CLI::Validator saying(const std::string& what, Check check) {
  return CLI::Validator(
      [what, check](std::string& text) -> std::string {
        if (check(text)) return {};
        return fmt::format("{} is no {}", in_quotes(text), what);
      },
      "");
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return saying(fmt::format("whole number from {} to {}", low, high),
                [low, high](const std::string& text) {
                  const auto number = number_in<std::uint64_t>(text);
                  return number && low <= *number && *number <= high;
                });
}

CLI::Validator seed_number() { return whole_number(0, UINT64_MAX); }

CLI::Validator seconds_number() {
  return saying("number of seconds above 0", [](const std::string& text) {
    const auto number = number_in<double>(text);
    return number && *number > 0 && std::isfinite(*number);
  });
}

}  // namespace cuvier
