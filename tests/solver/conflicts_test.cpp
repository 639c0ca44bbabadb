#include "solver/conflicts/conflicts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace cuvier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

/// What explains an observation: a bit for each of a few hypotheses.
using Mask = std::uint32_t;

Subset subset_of(unsigned bits) {
  Subset subset;
  for (unsigned rest = bits; rest; rest &= rest - 1) subset.insert(std::countr_zero(rest));
  return subset;
}

/// Observations of a small world, in which everything can be tried.
struct World {
  Mask all;
  std::vector<Mask> observed;

  Mask left_by(const Subset& subset) const {
    Mask left = all;
    for (const std::size_t i : subset) left &= observed[i];
    return left;
  }
  bool is_conflict(const Subset& subset) const { return left_by(subset) == 0; }

  Subset beside(const Subset& without) const {
    Subset rest;
    for (std::size_t i = 0; i < observed.size(); ++i) {
      if (!without.contains(i)) rest.insert(i);
    }
    return rest;
  }

  std::vector<Subset> subsets() const {
    std::vector<Subset> subsets;
    for (unsigned bits = 0; bits < 1u << observed.size(); ++bits) {
      subsets.push_back(subset_of(bits));
    }
    return subsets;
  }

  std::vector<Subset> minimal_conflicts() const {
    return minimal([&](const Subset& subset) { return is_conflict(subset); });
  }
  std::vector<Subset> minimal_corrections() const {
    return minimal([&](const Subset& subset) { return !is_conflict(beside(subset)); });
  }

 private:
  template <class Has>
  std::vector<Subset> minimal(const Has& has) const {
    std::vector<Subset> minimal;
    for (const Subset& subset : subsets()) {
      const bool each_needed = std::ranges::all_of(subset, [&](std::size_t i) {
        Subset less = subset;
        less.erase(i);
        return !has(less);
      });
      if (has(subset) && each_needed) minimal.push_back(subset);
    }
    return minimal;
  }
};

std::vector<World> worlds() {
  std::mt19937 rng(7);
  std::vector<World> worlds;
  for (int i = 0; i < 300; ++i) {
    const unsigned hypotheses = 1 + rng() % 10;
    World world{(1u << hypotheses) - 1, {}};
    const unsigned observations = rng() % 8;
    for (unsigned o = 0; o < observations; ++o) {
      world.observed.push_back(world.all & (rng() | (rng() % 2 ? rng() : 0)));
    }
    worlds.push_back(std::move(world));
  }
  return worlds;
}

std::vector<Subset> up_to(std::vector<Subset> subsets, std::size_t size) {
  std::erase_if(subsets, [&](const Subset& subset) { return subset.size() > size; });
  return subsets;
}

/// The smallest corrections by the tree, and what it knows in the end.
struct Found {
  std::vector<Subset> corrections;
  std::vector<Subset> conflicts;
};
template <class Permitted>
Found corrections_of(const World& world, const CorrectionLimits& limits,
                     const Permitted& permitted) {
  Found found;
  const auto explain = [&](const Subset& without) -> std::optional<Mask> {
    const Mask left = world.left_by(world.beside(without));
    return left ? std::optional(left) : std::nullopt;
  };
  const auto conflict_without = [&](const Subset& without) {
    return minimal_conflict(world.beside(without),
                            [&](const Subset& subset) { return world.is_conflict(subset); });
  };
  for (const auto& [without, left] :
       smallest_corrections(found.conflicts, limits, explain, conflict_without, permitted)) {
    EXPECT_EQ(left, world.left_by(world.beside(without)));
    found.corrections.push_back(without);
  }
  return found;
}

constexpr CorrectionLimits unlimited{100, 1000};
constexpr auto any = [](const Subset&) { return true; };

TEST(Conflicts, AMinimalOneIsOneOfAll) {
  int conflicts = 0;
  for (const World& world : worlds()) {
    const Subset everything = world.beside({});
    if (!world.is_conflict(everything)) continue;
    ++conflicts;
    EXPECT_THAT(world.minimal_conflicts(),
                Contains(minimal_conflict(
                    everything, [&](const Subset& subset) { return world.is_conflict(subset); })));
  }
  EXPECT_GT(conflicts, 100);
}

TEST(Conflicts, HighNumbersAreLeftOutFirst) {
  EXPECT_THAT(minimal_conflict({0, 1, 2, 3}, [](const Subset& s) { return s.size() >= 2; }),
              ElementsAre(0, 1));
}

TEST(Conflicts, AllUpToASizeAreFound) {
  std::map<int, int> by_size;  // of the world's smallest
  for (const World& world : worlds()) {
    const auto both = [](Mask a, Mask b) { return a & b; };
    const std::vector<Subset> minimal = world.minimal_conflicts();
    const ConflictsBySize all = conflicts_by_size(world.all, world.observed, Mask{0}, both, 1000);
    EXPECT_THAT(all.minimal, UnorderedElementsAreArray(minimal));
    EXPECT_TRUE(std::ranges::is_sorted(all.minimal, {}, &Subset::size));
    if (!all.minimal.empty()) ++by_size[static_cast<int>(all.minimal.front().size())];

    const ConflictsBySize some = conflicts_by_size(world.all, world.observed, Mask{0}, both, 15);
    EXPECT_LE(some.size, all.size);
    EXPECT_THAT(some.minimal, UnorderedElementsAreArray(up_to(minimal, some.size)));
  }
  EXPECT_GT(by_size[1], 10);
  EXPECT_GT(by_size[3], 10);
}

TEST(Conflicts, WhereNothingIsLeftFromTheStartNoneIsNeeded) {
  const ConflictsBySize found = conflicts_by_size(
      0, {0}, 0, [](int a, int b) { return a & b; }, 1000);
  EXPECT_THAT(found.minimal, ElementsAre(IsEmpty()));
}

TEST(Corrections, AreTheSmallest) {
  std::map<std::size_t, int> by_size;
  for (const World& world : worlds()) {
    std::vector<Subset> smallest = world.minimal_corrections();
    const std::size_t least = std::ranges::min(smallest, {}, &Subset::size).size();
    smallest = up_to(smallest, least);
    ++by_size[least];

    const Found found = corrections_of(world, unlimited, any);
    EXPECT_THAT(found.corrections, UnorderedElementsAreArray(smallest));
    for (const Subset& conflict : found.conflicts) {
      EXPECT_THAT(world.minimal_conflicts(), Contains(conflict));
    }
    EXPECT_THAT(corrections_of(world, {least, 1000}, any).corrections,
                UnorderedElementsAreArray(smallest));
    EXPECT_EQ(corrections_of(world, {100, 1}, any).corrections.size(), 1u);
    if (least > 0) {
      EXPECT_THAT(corrections_of(world, {least - 1, 1000}, any).corrections, IsEmpty());
    }
  }
  EXPECT_GT(by_size[0], 10);
  EXPECT_GT(by_size[1], 10);
  EXPECT_GT(by_size[3], 2);
}

TEST(Corrections, ArePermitted) {
  int others = 0;
  for (const World& world : worlds()) {
    const auto permitted = [](const Subset& subset) { return !subset.contains(0); };
    std::vector<Subset> allowed = world.minimal_corrections();
    const std::size_t least = std::ranges::min(allowed, {}, &Subset::size).size();
    std::erase_if(allowed, [&](const Subset& subset) { return !permitted(subset); });
    std::vector<Subset> smallest;
    if (!allowed.empty()) {
      const std::size_t size = std::ranges::min(allowed, {}, &Subset::size).size();
      smallest = up_to(allowed, size);
      others += size > least;
    }
    EXPECT_THAT(corrections_of(world, unlimited, permitted).corrections,
                UnorderedElementsAreArray(smallest));
  }
  EXPECT_GT(others, 3);
}

}  // namespace
}  // namespace cuvier
