#pragma once

#include <span>
#include <vector>

#include "solver/conflicts/subset.h"

namespace cuvier {
namespace detail {

/// Which of these observations (at least one) are needed beside those for a conflict, which all of
/// them together are. `untried`: whether those may do alone.
template <ConflictTest Test>
Subset needed_beside(const Subset& those, bool untried, std::span<const std::size_t> these,
                     Test& is_conflict) {
  if (untried && is_conflict(those)) return {};
  if (these.size() == 1) return {these.front()};
  const auto with = [&](auto&& some) {
    Subset more = those;
    more.insert(some.begin(), some.end());
    return more;
  };
  const auto low = these.first(these.size() / 2);
  const auto high = these.subspan(low.size());
  Subset needed = needed_beside(with(low), true, high, is_conflict);
  needed.merge(needed_beside(with(needed), !needed.empty(), low, is_conflict));
  return needed;
}

}  // namespace detail

/// A minimal conflict (a minimal unsatisfiable subset) within this one: without any one of its
/// members it is none, and what stays are low numbers where there is a choice. By halving (Junker:
/// QUICKXPLAIN, AAAI 2004), so that few tests are needed where it is small. A test that is not
/// certain of a conflict may deny it: then more stays.
template <ConflictTest Test>
Subset minimal_conflict(const Subset& conflict, Test&& is_conflict) {
  const std::vector<std::size_t> members(conflict.begin(), conflict.end());
  if (members.empty()) return {};
  return detail::needed_beside({}, true, members, is_conflict);
}

}  // namespace cuvier
