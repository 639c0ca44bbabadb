#pragma once

#include <concepts>
#include <cstddef>
#include <set>

namespace cuvier {

/// Some of several observations, by their numbers.
using Subset = std::set<std::size_t>;

/// Whether nothing explains these observations together: a conflict. With more of them it stays
/// one.
template <class F>
concept ConflictTest = std::predicate<F&, const Subset&>;

}  // namespace cuvier
