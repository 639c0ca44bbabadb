#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace cuvier {

/// So many of them, spread over all.
template <class T>
std::vector<T> spread(std::vector<T> all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(std::move(all[i * all.size() / most]));
  return some;
}

}  // namespace cuvier
