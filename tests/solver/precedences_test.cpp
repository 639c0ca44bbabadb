// An order of the SMs, known in part.

#include "solver/space/precedences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

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

TEST(Precedences, MayBeImpossibleTogetherOnly) {
  // From 0 on, 1 before 2 before 3 before 1: any two of these are possible.
  Precedences known(4);
  ASSERT_TRUE(known.add_round(0, 1, 2));
  ASSERT_TRUE(known.add_round(0, 2, 3));
  ASSERT_TRUE(known.add_round(0, 3, 1));
  EXPECT_FALSE(known.possible());
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
