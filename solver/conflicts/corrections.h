#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/conflicts/subset.h"

namespace cuvier {

/// Observations without which something explains the others (a correction set), and what does.
template <class Explanation>
struct Correction {
  Subset without;
  Explanation explanation;
};

struct CorrectionLimits {
  std::size_t size;  ///< members of a correction
  std::size_t most;  ///< corrections
};

/// The smallest corrections that are `permitted`, all of one size; none if there are none within
/// the limits. Whatever explains the others leaves out one of each conflict, so they are hitting
/// sets, and found in a tree of them, breadth first (Reiter: A theory of diagnosis from first
/// principles, 1987). `explain(without)`: an explanation of the others, if there is one;
/// `conflict_without(without)`: a conflict among the others, if there is none. `conflicts` are
/// those known before, and then those found, too. What is not permitted is not with more, either.
template <class Explain, std::invocable<const Subset&> ConflictWithout,
          std::predicate<const Subset&> Permitted>
auto smallest_corrections(std::vector<Subset>& conflicts, const CorrectionLimits& limits,
                          Explain&& explain, ConflictWithout&& conflict_without,
                          Permitted&& permitted) {
  using Explanation = typename std::invoke_result_t<Explain&, const Subset&>::value_type;
  const auto known_beside = [&](const Subset& without) {
    return std::ranges::find_if(conflicts, [&](const Subset& conflict) {
      return std::ranges::none_of(conflict, [&](std::size_t i) { return without.contains(i); });
    });
  };
  std::vector<Correction<Explanation>> found;
  std::set<Subset> level{{}};
  for (std::size_t size = 0; found.empty() && !level.empty(); ++size) {
    std::set<Subset> larger;
    for (const Subset& without : level) {
      if (!permitted(without)) continue;
      auto conflict = known_beside(without);
      if (conflict == conflicts.end()) {
        if (std::optional<Explanation> explanation = explain(without)) {
          found.push_back({without, *std::move(explanation)});
          if (found.size() == limits.most) return found;
          continue;
        }
        if (size == limits.size) continue;
        conflicts.push_back(conflict_without(without));
        conflict = conflicts.end() - 1;
      }
      if (size == limits.size) continue;
      for (const std::size_t member : *conflict) {
        Subset more = without;
        more.insert(member);
        larger.insert(std::move(more));
      }
    }
    level = std::move(larger);
  }
  return found;
}

}  // namespace cuvier
