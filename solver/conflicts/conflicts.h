#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace cuvier {

/// Some of several observations, by their numbers.
using Subset = std::set<std::size_t>;

/// Whether nothing explains these observations together: a conflict. With more of them it stays
/// one.
template <class F>
concept ConflictTest = std::predicate<F&, const Subset&>;

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
