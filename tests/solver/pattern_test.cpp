#include "solver/finding/pattern.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/law/planted.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

/// A fact about the last of these kernels, which are launched one after the other.
Recording about_the_last(std::vector<Kernel> kernels) {
  Recording recording{{"", std::move(kernels), {}}, {}, true, ""};
  const int last = static_cast<int>(recording.probe.kernels.size()) - 1;
  for (int kernel = 0; kernel <= last; ++kernel) recording.probe.script.push_back({kernel, {}});
  recording.facts.push_back({Fact::Kind::started, last, last, {1}, {}});
  return recording;
}

std::vector<FactOfRecording> facts_of_each(const std::vector<Recording>& recordings) {
  std::vector<FactOfRecording> facts;
  for (const Recording& each : recordings) facts.push_back({&each, &each.facts[0]});
  return facts;
}

TEST(Pattern, IsTheThresholdThatTellsWrongFromRightBest) {
  const auto recording = [](int blocks, int threads) {
    return about_the_last({samples::kernel("k", blocks, threads)});
  };
  const std::vector<Recording> small{recording(1, 64), recording(2, 32), recording(3, 64)};
  const std::vector<Recording> large{recording(700, 64), recording(648, 32), recording(660, 64)};
  const FactsToldApart facts{facts_of_each(large), facts_of_each(small)};
  const auto pattern = pattern_of(facts);
  ASSERT_TRUE(pattern);
  ASSERT_EQ(pattern->traits.size(), 1);
  EXPECT_EQ(pattern->traits[0].property, "blocks of the kernel");
  EXPECT_TRUE(pattern->traits[0].at_least);
  EXPECT_EQ(pattern->traits[0].threshold, 648);
  EXPECT_EQ(pattern->right_here, 0);
  const auto between = halving(*pattern, facts, small_device(4));
  ASSERT_EQ(between.size(), 6);
  EXPECT_EQ(between[0].kernels[0].threads, 32);  // as at the threshold
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(between[i].kernels[0].blocks, 648 - (648 - (i < 3 ? 3 : 2)) / 2);
  }
  EXPECT_FALSE(pattern_of({facts.right, facts.right}));
  EXPECT_FALSE(pattern_of({{}, facts.right}));
  // One is always on some side, and two are too often on the same.
  EXPECT_FALSE(pattern_of({{facts.wrong[0], facts.wrong[1]}, facts.right}));
}

/// A loop, beside kernels that are like another one or behind nothing.
TEST(Pattern, IsAboutWhatIsAheadInTheStream) {
  const auto recording = [](int threads, int threads_ahead, bool one_stream) {
    Kernel ahead = samples::kernel("k1", 4, threads_ahead);
    Kernel kernel = samples::kernel("k2", 4, threads);
    ahead.stream = "a";
    kernel.stream = one_stream ? "a" : "b";
    return about_the_last({ahead, kernel});
  };
  const std::vector<Recording> wrong{recording(64, 64, true), recording(96, 96, true),
                                     recording(256, 256, true)};
  const std::vector<Recording> right{recording(64, 64, false), recording(96, 64, true),
                                     recording(128, 256, true), recording(256, 96, true)};
  const auto pattern = pattern_of({facts_of_each(wrong), facts_of_each(right)});
  ASSERT_TRUE(pattern);
  EXPECT_THAT(pattern->traits,
              ElementsAre(Field(&Trait::property, "kernels like it just ahead in its stream")));
  EXPECT_EQ(pattern->right_here, 0);
}

TEST(Pattern, IsTwoTraitsWhereEitherIsOfManyThatAreRight) {
  const auto recording = [](int threads, int registers) {
    Kernel kernel = samples::kernel("k", 4, threads);
    kernel.registers = registers;
    return about_the_last({kernel});
  };
  std::vector<Recording> wrong;
  std::vector<Recording> right;
  for (int i = 0; i < 6; ++i) {
    wrong.push_back(recording(256 + 32 * i, 96 + 8 * i));
    right.push_back(recording(256 + 32 * i, 32 + 8 * i));
    right.push_back(recording(32 + 32 * i, 96 + 8 * i));
    right.push_back(recording(32 + 32 * i, 32 + 8 * i));
  }
  const auto pattern = pattern_of({facts_of_each(wrong), facts_of_each(right)});
  ASSERT_TRUE(pattern);
  EXPECT_THAT(pattern->traits, ElementsAre(Field(&Trait::property, "threads per block"),
                                           Field(&Trait::property, "registers per thread")));
  EXPECT_EQ(pattern->right_here, 0);
  EXPECT_EQ(pattern->right, 18);
  // Of fewer, two traits would be found by chance.
  wrong.resize(5);
  EXPECT_EQ(pattern_of({facts_of_each(wrong), facts_of_each(right)})->traits.size(), 1);
}

}  // namespace
}  // namespace cuvier
