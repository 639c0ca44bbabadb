#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace cuvier {

/// The number that the whole text is, if it is one.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace cuvier
