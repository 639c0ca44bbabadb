#include "hypotheses/scheduler/options.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "probes/family.h"

namespace cuvier {
namespace {

using Options = OptionList<int, bool>;

/// By looking at all of them.
std::optional<int> least(const Options& options, const Entry& entry) {
  const Options::Option* best = nullptr;
  for (const auto& o : options) {
    if (!o.eligible) continue;
    if (!best || o.key < best->key ||
        (o.key == best->key && entry.turn(o.rank) < entry.turn(best->rank))) {
      best = &o;
    }
  }
  return best ? std::optional(best->id) : std::nullopt;
}

TEST(Tournament, FindsTheFirstOfTheLeast) {
  Rng rng(1);
  for (const int count : {1, 2, 3, 7, 8, 82, 132, 144}) {
    std::vector<int> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0);
    std::ranges::shuffle(ranks, rng);
    Tournament tournament(count);
    tournament.set_rank(ranks);
    EXPECT_FALSE(tournament.any());
    for (int round = 0; round < 2000; ++round) {
      const int id = uniform(rng, 0, count - 1);
      // Mostly few, then mostly all.
      tournament.set_eligible(id, uniform(rng, 0, 9) < round / 200);
      tournament.set_key(id, uniform(rng, -3, 3));
      const int cursor = uniform(rng, -1, count - 1);
      const Entry entry{cursor, cursor < 0 ? 0 : ranks[cursor], uniform(rng, 0, 1)};
      const std::optional<int> expected = least(tournament, entry);
      ASSERT_EQ(tournament.any(), expected.has_value());
      if (!expected) continue;
      ASSERT_EQ(tournament.least(entry), *expected) << count;
      const auto first = std::ranges::min_element(
          tournament, {}, [&](const auto& o) { return entry.turn(o.rank); });
      ASSERT_EQ(tournament.first(entry).id, first->id);
    }
  }
}

TEST(Tournament, KeepsKeysThroughAnotherOrder) {
  Tournament tournament(3);
  tournament.set_rank({0, 1, 2});
  for (int id = 0; id < 3; ++id) {
    tournament.set_eligible(id, true);
    tournament.set_key(id, id == 1 ? 1 : 0);
  }
  EXPECT_EQ(tournament.least({}), 0);
  tournament.set_rank({2, 1, 0});
  EXPECT_EQ(tournament.least({}), 2);
}

}  // namespace
}  // namespace cuvier
