#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace cuvier {

/// The name of an enum's value: `names` has those of all, in the order of the enum.
template <class Enum>
constexpr std::string_view name_in(std::initializer_list<std::string_view> names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  if (index >= names.size()) throw std::logic_error("a value of an enum has no name");
  return names.begin()[index];
}

}  // namespace cuvier
