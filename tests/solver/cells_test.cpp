#include "solver/space/cells.h"

#include <gtest/gtest.h>

#include <map>

#include "probes/family.h"

namespace cuvier {
namespace {

using Options = OptionList<int, bool>;

/// By looking at all of them: the first id of each cell and its turn, by what they have in common.
using Firsts = std::map<std::pair<bool, int>, std::pair<int, int>>;

Firsts firsts_among(const Options& options, const Entry& entry) {
  Firsts firsts;
  for (const auto& o : options) {
    const std::pair first(entry.turn(o.rank), o.id);
    const auto [known, added] = firsts.try_emplace({o.eligible, o.key}, first);
    if (!added) known->second = std::min(known->second, first);
  }
  return firsts;
}

Firsts firsts_of(const CellList<int, bool>& options, const Entry& entry) {
  Firsts firsts;
  for (const auto& cell : options.cells(entry)) {
    EXPECT_TRUE(firsts.try_emplace({cell.eligible, cell.key}, cell.turn, cell.first).second)
        << "two cells of one kind";
  }
  return firsts;
}

TEST(CellList, HasTheFirstOfEachCell) {
  Rng rng(1);
  for (const int count : {1, 2, 3, 63, 64, 65, 132}) {
    std::vector<int> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0);
    CellList<int, bool> options(count);
    for (int round = 0; round < 1000; ++round) {
      // At times another order, of what is in cells already.
      if (round % 250 == 0) {
        std::ranges::shuffle(ranks, rng);
        options.set_rank(ranks);
      }
      const int id = uniform(rng, 0, count - 1);
      options.set_eligible(id, uniform(rng, 0, 1));
      options.set_key(id, uniform(rng, -3, 3));
      const int cursor = uniform(rng, -1, count - 1);
      const Entry entry{cursor, cursor < 0 ? 0 : ranks[cursor], uniform(rng, 0, 1)};
      ASSERT_EQ(firsts_of(options, entry), firsts_among(options, entry)) << count;
      const auto first =
          std::ranges::min_element(options, {}, [&](const auto& o) { return entry.turn(o.rank); });
      ASSERT_EQ(options.first(entry).id, first->id);
    }
  }
}

TEST(CellList, HasCellsBeforeThereIsAnOrder) {
  CellList<int, bool> options(3);
  options.set_eligible(1, true);
  options.set_rank({});
  EXPECT_EQ(options.cells({}).size(), 2);
  options.set_eligible(0, true);
  options.set_eligible(2, true);
  EXPECT_EQ(options.cells({}).size(), 1);
}

}  // namespace
}  // namespace cuvier
