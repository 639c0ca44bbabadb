#pragma once

#include <functional>
#include <type_traits>
#include <vector>

namespace cuvier {

/// What the function or member gives for each of these.
auto mapped(const auto& range, const auto& function) {
  std::vector<std::decay_t<decltype(std::invoke(function, *range.begin()))>> all;
  for (const auto& each : range) all.push_back(std::invoke(function, each));
  return all;
}

}  // namespace cuvier
