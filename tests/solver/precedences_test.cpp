// An order of the SMs, known in part.

#include "solver/space/precedences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

namespace cuvier {
namespace {

TEST(Precedences, HaveNoCycle) {
  Precedences known(4);
  EXPECT_TRUE(known.add(0, 1));
  EXPECT_TRUE(known.add(1, 2));
  EXPECT_TRUE(known.before(0, 2));
  EXPECT_FALSE(known.add(2, 0));
}

TEST(Precedences, OfACursorSayNothingOfWhereItIs) {
  // From SM 3 on, 0 comes before 1: 3 may be the first, the last or, as the order goes round,
  // behind 0 where 1 is before 3.
  Precedences known(4);
  ASSERT_TRUE(known.add_round(3, 0, 1));
  EXPECT_TRUE(known.allows({3, 0, 1, 2}));
  EXPECT_TRUE(known.allows({2, 0, 1, 3}));
  EXPECT_TRUE(known.allows({1, 2, 3, 0}));
  EXPECT_FALSE(known.allows({1, 0, 2, 3}));
  EXPECT_FALSE(known.allows({3, 1, 0, 2}));
  EXPECT_FALSE(known.before(0, 1));
  ASSERT_TRUE(known.add(1, 0));
  EXPECT_TRUE(known.before(1, 3));
  EXPECT_TRUE(known.before(3, 0));
}

TEST(Precedences, GiveAnyOrderThatTheyAllow) {
  Precedences known(4);
  ASSERT_TRUE(known.add_round(3, 0, 1));
  ASSERT_TRUE(known.add_round(2, 1, 3));
  ASSERT_TRUE(known.possible());
  std::vector<int> preferred(4);
  std::iota(preferred.begin(), preferred.end(), 0);
  int allowed = 0;
  do {
    const std::vector<int> order = known.order(preferred);
    EXPECT_TRUE(known.allows(order));
    if (!known.allows(preferred)) continue;
    ++allowed;
    EXPECT_EQ(order, preferred);
  } while (std::ranges::next_permutation(preferred).found);
  EXPECT_EQ(allowed, 8);  // two circles, entered anywhere
}

TEST(Precedences, ThatCursorsShowOrderTheWholeRound) {
  // 2, 0, 3, 1 and round again, entered at 2; so it is whoever begins.
  Precedences known(4);
  ASSERT_TRUE(known.add_round(2, 0, 3));
  ASSERT_TRUE(known.add_round(2, 3, 1));
  EXPECT_TRUE(known.before_round(3, 1, 0));
  EXPECT_TRUE(known.before_round(1, 2, 3));
  EXPECT_FALSE(known.add_round(0, 1, 3));
}

/// Whether all these relations hold in the order. From -1: from its start.
bool holds(const std::vector<std::array<int, 3>>& rounds, const std::vector<int>& order) {
  const auto place = [&](int sm) {
    return sm < 0 ? -1 : static_cast<int>(std::ranges::find(order, sm) - order.begin());
  };
  return std::ranges::all_of(rounds, [&](const auto& r) {
    return (place(r[0]) < place(r[1])) + (place(r[1]) < place(r[2])) +
               (place(r[2]) < place(r[0])) ==
           2;
  });
}

TEST(Precedences, AreWhatEveryOrderTriedOutSays) {
  constexpr int sms = 5;
  std::mt19937 random(1);
  int impossible = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Precedences known(sms);
    std::vector<std::array<int, 3>> rounds;
    bool possible = true;
    while (possible && rounds.size() < 8) {
      std::vector<int> three{-1, 0, 1, 2, 3, 4};
      std::ranges::shuffle(three, random);
      if (three[1] < 0 || three[2] < 0) continue;
      rounds.push_back({three[0], three[1], three[2]});
      possible = three[0] < 0 ? known.add(three[1], three[2])
                              : known.add_round(three[0], three[1], three[2]);
      possible = possible && known.possible();
      std::vector<int> order{0, 1, 2, 3, 4};
      bool any = false;
      do {
        const bool good = holds(rounds, order);
        any = any || good;
        if (!possible) continue;
        EXPECT_EQ(known.allows(order), good);
        if (!good) continue;
        EXPECT_EQ(known.order(order), order);
        EXPECT_TRUE(!known.before(0, 1) || holds({{-1, 0, 1}}, order));
      } while (std::ranges::next_permutation(order).found);
      EXPECT_EQ(possible, any);
    }
    impossible += !possible;
  }
  EXPECT_GT(impossible, 50);
  EXPECT_LT(impossible, 350);
}

TEST(Precedences, SettleWhatIsCompared) {
  const std::vector<std::vector<int>> groups{{0, 1}, {2}, {3}};
  constexpr int sms = 4;
  Precedences known(sms);
  known.set_groups(groups);
  const std::vector<std::vector<int>> all{{0, 1, 2}};
  const std::vector<std::vector<int>> of_one_size{{0}, {1, 2}};
  ASSERT_TRUE(known.add(sms + 1, sms + 2));
  EXPECT_FALSE(known.settle(groups, of_one_size));  // 0 and 1
  ASSERT_TRUE(known.add(0, 1));
  EXPECT_TRUE(known.settle(groups, of_one_size));
  EXPECT_FALSE(known.settle(groups, all));
  ASSERT_TRUE(known.add(sms, sms + 1));
  EXPECT_TRUE(known.settle(groups, all));
}

}  // namespace
}  // namespace cuvier
