#include "solver/cancellation/time_left.h"

#include <gmock/gmock.h>

namespace cuvier {
namespace {

using ::testing::Eq;
using ::testing::Optional;

TEST(TimeLeft, IsAsLongAsWhatWasDone) {
  TimeLeft left;
  EXPECT_EQ(left.at(5, {"asked 0 of 100", 0, 100}), std::nullopt);
  EXPECT_THAT(left.at(15, {"asked 10 of 100", 10, 100}), Optional(Eq(90)));
  EXPECT_THAT(left.at(25, {"asked 50 of 100", 50, 100}), Optional(Eq(20)));
}

TEST(TimeLeft, IsUnsaidWhereItWouldBeAGuess) {
  TimeLeft left;
  EXPECT_EQ(left.at(100, "searching"), std::nullopt);  // nobody knows how much there is
  EXPECT_EQ(left.at(100, {"asked", 0, 100}), std::nullopt);
  EXPECT_EQ(left.at(130, {"asked", 4, 100}), std::nullopt);     // too few
  EXPECT_EQ(left.at(101, {"asked", 40, 100}), std::nullopt);    // too early
  EXPECT_EQ(left.at(300, {"asked", 99.5, 100}), std::nullopt);  // too short
}

TEST(TimeLeft, BeginsAnewWithOtherWork) {
  TimeLeft left;
  left.at(0, {"asked", 0, 100});
  left.at(1000, {"asked", 90, 100});
  left.at(1000, {"lemma", 0, 10});
  EXPECT_THAT(left.at(1010, {"lemma", 5, 10}), Optional(Eq(10)));
  left.at(1010, {"asked", 0, 10});  // as much, but from its beginning
  EXPECT_THAT(left.at(1014, {"asked", 2, 10}), Optional(Eq(16)));
}

TEST(TimeLeft, IsNoLongerWhereThreadsTellOutOfTurn) {
  TimeLeft left;
  left.at(0, {"row", 0, 10});
  left.at(8, {"row", 5, 10});
  EXPECT_THAT(left.at(8, {"row", 4, 10}), Optional(Eq(8)));
}

TEST(Task, TellsWhatIsDoneOfAllInItsPartsToo) {
  std::vector<std::string> told;
  const Task whole([&](const Doing& doing) {
    told.push_back(doing.what + ": " + std::to_string(int(doing.done)) + " of " +
                   std::to_string(int(doing.all)));
    return "";
  });
  whole.part("a").doing({"lemma", 3, 7});
  whole.part("b", 1, 5).doing({"lemma", 3, 7});
  whole.doing("proof");
  EXPECT_THAT(told,
              ::testing::ElementsAre("a: lemma: 3 of 7", "b: lemma: 1 of 5", "proof: 0 of 0"));
}

}  // namespace
}  // namespace cuvier
