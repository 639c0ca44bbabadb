#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace cuvier {

/// What a value of an enum is called. The names stand in the order of the values.
template <class Enum>
constexpr std::string_view named(Enum value, std::initializer_list<std::string_view> names) {
  return names.begin()[static_cast<std::size_t>(value)];
}

}  // namespace cuvier
