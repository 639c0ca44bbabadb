#include "solver/query_selection/likelihood.h"

#include <algorithm>
#include <utility>

namespace cuvier {
namespace {

constexpr int few_draws = 4;
constexpr int draws = 24;

/// An outcome of one hypothesis that is none of the other, and what comes nearest to it of those.
using Telling = std::optional<std::pair<Observation, Observation>>;

Telling draw(Simulator& truth, Simulator& other, const Probe& probe,
             const std::vector<std::string>& channels, int seed) {
  DrawnChoices choices(seed);
  Observation seen = seen_through(channels, truth.preview(probe, &choices));
  const std::vector<Fact> facts = facts_of(seen, probe);
  Observation nearest = seen_through(channels, other.nearest(probe, facts));
  const bool is_one =
      std::ranges::all_of(facts, [&](const Fact& fact) { return agrees(fact, nearest, probe); });
  if (is_one) return std::nullopt;
  return std::pair{std::move(seen), std::move(nearest)};
}

}  // namespace

std::optional<Chance> chance_of(Simulator& a, Simulator& b, const Probe& probe,
                                const std::vector<std::string>& channels) {
  std::optional<Chance> chance;
  Likelihood likelihood;
  while (likelihood.drawn < (chance ? draws : few_draws)) {
    const int seed = ++likelihood.drawn;
    if (Telling telling = draw(a, b, probe, channels, seed)) {
      ++likelihood.excludes_b;
      if (!chance) chance = {{}, std::move(telling->first), std::move(telling->second)};
    }
    if (Telling telling = draw(b, a, probe, channels, seed)) {
      ++likelihood.excludes_a;
      if (!chance) chance = {{}, std::move(telling->second), std::move(telling->first)};
    }
  }
  if (chance) chance->likelihood = likelihood;
  return chance;
}

}  // namespace cuvier
