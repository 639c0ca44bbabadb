#include "solver/finding/mismatches.h"

#include <gmock/gmock.h>

#include "solver/cancellation/task.h"
#include "solver/check/check.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Probe blocks(int count) {
  return {"some", {{"k", count, 32, 32, 0, 0, 0, std::nullopt}}, {{0, {}}}};
}

Recording seen(Fact fact, int count = 1) {
  return {blocks(count), {std::move(fact)}, true, "mine.jsonl:2"};
}

Recording seen_on(std::vector<int> sms) {
  const int count = static_cast<int>(sms.size());
  return seen({Fact::Kind::sm, 0, 0, std::move(sms), {}}, count);
}

RecordingSet set_of(std::vector<Recording> recordings) {
  return {"me", samples::device(), std::move(recordings)};
}

TEST(Mismatches, NameTheFactAndWhatIsPredictedInstead) {
  const auto wrong = mismatches(set_of({seen_on({0, 2}), seen_on({0, 1})}), {});
  ASSERT_THAT(wrong, SizeIs(1));
  EXPECT_EQ(wrong[0].recording, "some");
  EXPECT_EQ(wrong[0].where, "mine.jsonl:2");
  EXPECT_EQ(wrong[0].kernel, "k");
  EXPECT_EQ(wrong[0].seen, "starts on SMs 0, 1");
  EXPECT_EQ(wrong[0].predicted, "starts on SMs 0, 2");
}

TEST(Mismatches, SayItInTheWordsOfTheirKind) {
  const auto predicted = [](const Fact& fact) {
    const auto wrong = mismatches(set_of({seen(fact)}), {});
    return wrong.size() == 1 ? wrong[0].predicted : "";
  };
  EXPECT_EQ(predicted({Fact::Kind::sm_set, 0, 0, {3}, {}}), "starts on SMs {0}");
  EXPECT_EQ(predicted({Fact::Kind::started, 0, 0, {0}, {}}), "starts 1 block");
  EXPECT_EQ(predicted({Fact::Kind::starts, 0, 0, {0}, {}}), "starts a block");
  EXPECT_EQ(predicted({Fact::Kind::complete, 0, 0, {0}, {}}), "starts all of its blocks");
  EXPECT_EQ(predicted({Fact::Kind::warp_slot, 0, 0, {}, {{5}}}), "its warps take the slots 0");
  EXPECT_EQ(predicted({Fact::Kind::shared_config, -1, 0, {0}, {}}),
            "its target configuration is 102400 bytes of shared memory");
}

TEST(Mismatches, LongListsAreShownFromWhereTheyDiffer) {
  std::vector<int> sms;
  for (int round = 0; round < 10; ++round) sms.insert(sms.end(), {0, 2, 1, 3});
  std::swap(sms[38], sms[39]);
  const auto wrong = mismatches(set_of({seen_on(sms)}), {});
  ASSERT_THAT(wrong, SizeIs(1));
  EXPECT_EQ(wrong[0].seen, "starts 40 blocks, after the first 38 on SMs 3, 1");
  EXPECT_EQ(wrong[0].predicted, "starts 40 blocks, after the first 38 on SMs 1, 3");
}

TEST(Mismatches, StateSurvivesWithinASessionOnly) {
  const Hypothesis hypothesis =
      hypothesis_from_text("round-robin,tie_break=linear,cursor_reset=never");
  RecordingSet set = set_of({seen_on({0}), seen_on({1}), seen_on({0})});
  set.recordings[1].fresh = false;
  EXPECT_THAT(mismatches(set, hypothesis), IsEmpty());
  set.recordings[2].fresh = false;
  EXPECT_THAT(mismatches(set, hypothesis), SizeIs(1));
}

TEST(Mismatches, AHypothesisMustApplyToTheDevice) {
  EXPECT_THAT(
      message_of([] { mismatches(set_of({seen_on({0})}), hypothesis_from_text("hierarchy=gpc")); }),
      HasSubstr("hierarchy=gpc needs gpc_of_sm"));
}

TEST(CheckOfOne, IsIdentifiedOrRefuted) {
  const Finding right = check({set_of({seen_on({0})}), set_of({seen_on({0, 2})})}, Hypothesis{});
  EXPECT_EQ(right.verdict, Verdict::identified);
  EXPECT_EQ(right.reason, "it explains all 2 facts");
  EXPECT_EQ(right.mechanism, Hypothesis{});
  EXPECT_EQ(right.probes, 2);
  EXPECT_EQ(right.count.remaining, 1);

  const Finding wrong = check({set_of({seen_on({0})}), set_of({seen_on({2})})}, Hypothesis{});
  EXPECT_EQ(wrong.verdict, Verdict::refuted);
  EXPECT_EQ(wrong.reason, "it gets 1 of 2 facts wrong");
  EXPECT_FALSE(wrong.mechanism);
  EXPECT_THAT(wrong.mismatches, SizeIs(1));
}

}  // namespace
}  // namespace cuvier
