#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/conflicts/subset.h"

namespace cuvier {

struct ConflictsBySize {
  std::vector<Subset> minimal;  ///< the smallest first: all of at most `size` members
  int size = 0;                 ///< how far was looked
};

/// The minimal conflicts among observations, each of which leaves so much of `all`: `both` is what
/// two of these leave together, `nothing` what a conflict does. All minimal unsatisfiable subsets
/// are wanted, as by MARCO (Liffiton, Previti, Malik, Marques-Silva: Fast, flexible MUS
/// enumeration, 2016), but the smallest before all others: so subsets are tried by size, each
/// only if the one without its highest number is none, as long as a whole size can be done in so
/// many intersections.
template <class Left, class Both>
ConflictsBySize conflicts_by_size(const Left& all, const std::vector<Left>& left_by,
                                  const Left& nothing, Both&& both, std::size_t most) {
  ConflictsBySize found;
  if (all == nothing) {
    found.minimal.push_back({});
    return found;
  }
  const auto after = [](const Subset& chosen) { return chosen.empty() ? 0 : *chosen.rbegin() + 1; };
  std::vector<std::pair<Subset, Left>> level{{{}, all}};  // those that leave something
  std::size_t intersections = 0;
  while (!level.empty()) {
    for (const auto& [chosen, left] : level) intersections += left_by.size() - after(chosen);
    if (intersections > most) break;
    std::vector<std::pair<Subset, Left>> larger;
    for (const auto& [chosen, left] : level) {
      for (std::size_t next = after(chosen); next < left_by.size(); ++next) {
        Subset more = chosen;
        more.insert(more.end(), next);
        Left left_by_more = both(left, left_by[next]);
        if (left_by_more != nothing) {
          larger.emplace_back(std::move(more), std::move(left_by_more));
        } else if (std::ranges::none_of(found.minimal, [&](const Subset& smaller) {
                     return std::ranges::includes(more, smaller);
                   })) {
          found.minimal.push_back(std::move(more));
        }
      }
    }
    level = std::move(larger);
    ++found.size;
  }
  return found;
}

}  // namespace cuvier
