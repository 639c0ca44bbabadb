#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace cuvier {

/// What a value of an enum is called. The names stand in the order of the values; throws
/// std::out_of_range for a value that has none.
template <class Enum>
constexpr std::string_view named(Enum value, std::initializer_list<std::string_view> names) {
  const auto index = static_cast<std::size_t>(value);
  if (index >= names.size()) throw std::out_of_range("a value of an enum has no name");
  return names.begin()[index];
}

}  // namespace cuvier
