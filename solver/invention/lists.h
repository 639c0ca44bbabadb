#pragma once

#include <cstddef>
#include <iterator>
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

/// All of these lists, one behind the other.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>> lists) {
  std::vector<T> all;
  for (std::vector<T>& list : lists) {
    all.insert(all.end(), std::make_move_iterator(list.begin()),
               std::make_move_iterator(list.end()));
  }
  return all;
}

}  // namespace cuvier
