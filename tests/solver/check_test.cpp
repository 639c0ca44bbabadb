#include "solver/check/check.h"

#include <gmock/gmock.h>

#include "solver/cancellation/task.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Two blocks of a kernel, or as many as there are SMs, on an idle device.
Recording seen_on(const std::string& name, std::vector<int> sms) {
  const int count = static_cast<int>(sms.size());
  return {{name, {{"k", count, 32, 32, 0, 0, 0, std::nullopt}}, {{0, {}}}},
          {{Fact::Kind::sm, 0, 0, std::move(sms), {}}},
          true,
          name + ".jsonl:2"};
}

Finding check_all(std::vector<Recording> recordings) {
  const RecordingSet set{"me", samples::device(), std::move(recordings)};
  return check({set}, Assumptions::all(set.device), {});
}

TEST(Check, NamesWhatClashesAndWhatComesNearest) {
  // The same probe with two outcomes: 0, 2 is the order of the others, too.
  const Finding finding = check_all({seen_on("alone", {0}), seen_on("two", {0, 2}),
                                     seen_on("four", {0, 2, 1, 3}), seen_on("odd", {0, 1})});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_FALSE(finding.mechanism);
  EXPECT_THAT(finding.clash, SizeIs(2));
  EXPECT_EQ(finding.clash[0], "odd (odd.jsonl:2)");
  ASSERT_TRUE(finding.nearest);
  EXPECT_EQ(finding.nearest->hypothesis, Hypothesis{});
  EXPECT_EQ(finding.nearest->facts, 4);
  ASSERT_THAT(finding.nearest->wrong, SizeIs(1));
  EXPECT_EQ(finding.nearest->wrong[0].recording, "odd");
}

TEST(Check, NamesOneRecordingThatNothingExplains) {
  const Finding finding =
      check_all({seen_on("two", {0, 2}), seen_on("full", {2, 2, 2, 0}), seen_on("alone", {0})});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_THAT(finding.clash, ElementsAre("full (full.jsonl:2)"));
}

TEST(Check, WhatIsExplainedHasNothingNearest) {
  EXPECT_FALSE(check_all({seen_on("two", {0, 2})}).nearest);
}

TEST(Check, ProvesWhatIsLeftToBeOneBehaviour) {
  const RecordingSet set{"me", samples::device(), {seen_on("two", {0, 2})}};
  Assumptions three = Assumptions::all(set.device);
  three.restrict_by("algorithm-1");
  three.allowed[index_of<PointerReset>()] = (1u << axis_size(index_of<PointerReset>())) - 1;
  const Finding finding = check({set}, three, {});
  EXPECT_EQ(finding.count.remaining, 3);
  EXPECT_EQ(finding.verdict, Verdict::identified) << finding.reason;
  EXPECT_TRUE(finding.proof);
}

TEST(Check, EndsInTheMidstOfAProof) {
  const RecordingSet set{"me", samples::device(), {seen_on("two", {0, 2})}};
  Assumptions three = Assumptions::all(set.device);
  three.restrict_by("algorithm-1");
  three.allowed[index_of<PointerReset>()] = (1u << axis_size(index_of<PointerReset>())) - 1;
  int told = 0;
  const Task task([&](const std::string& doing) {
    return doing.starts_with("proving") && ++told > 1 ? "interrupted" : "";
  });
  const Finding finding = check({set}, three, task);
  EXPECT_EQ(finding.verdict, Verdict::ambiguous);
  EXPECT_EQ(finding.reason, "interrupted: 1 of 1 recording looked at");
}

/// An order that is nobody's but a learned one: the last resort is what explains it.
TEST(Check, EndsAnywhereWithoutRefutingWhatItDidNotLookAt) {
  const RecordingSet set{
      "me", samples::device(), {seen_on("four", {3, 0, 2, 1}), seen_on("again", {3, 0, 2, 1})}};
  int told = 0;
  auto all = Assumptions::all(set.device);
  all.restrict_by("algorithm-1");
  all.allowed[index_of<TieBreak>()] = Assumptions::all(set.device).allowed[index_of<TieBreak>()];
  const Task counted([&](const std::string&) {
    ++told;
    return "";
  });
  const Finding whole = check({set}, all, counted);
  ASSERT_EQ(whole.verdict, Verdict::identified);
  ASSERT_GT(told, 5);
  for (int allowed = 0; allowed < told; ++allowed) {
    int left = allowed;
    const Task task([&](const std::string&) { return left-- == 0 ? "interrupted" : ""; });
    const Finding finding = check({set}, all, task);
    EXPECT_EQ(finding.verdict, Verdict::ambiguous) << allowed;
    EXPECT_GE(finding.count.remaining, whole.count.remaining) << allowed;
    EXPECT_THAT(finding.reason, testing::StartsWith("interrupted: ")) << allowed;
  }
}

TEST(Check, OfOneModelEndsWithWhatIsKnown) {
  const RecordingSet set{"me",
                         samples::device(),
                         {seen_on("two", {0, 2}), seen_on("other", {2}), seen_on("one", {0})}};
  const auto ended_after = [&](int recordings) {
    const Task task([&](const std::string&) { return recordings-- == 0 ? "interrupted" : ""; });
    return check({set}, Hypothesis{}, task);
  };
  EXPECT_EQ(ended_after(0).reason, "interrupted: 0 of 3 recordings looked at");
  EXPECT_EQ(ended_after(1).verdict, Verdict::ambiguous);
  EXPECT_EQ(ended_after(1).reason,
            "interrupted: 1 of 3 recordings looked at; so far it explains the only fact");
  EXPECT_EQ(ended_after(2).verdict, Verdict::refuted);
  EXPECT_THAT(ended_after(2).reason, HasSubstr("so far it gets 1 of 2 facts wrong"));
}

TEST(Check, SaysWhyWhatIsLeftIsNotOneBehaviour) {
  const RecordingSet set{"me", samples::device(), {seen_on("two", {0, 2})}};
  Assumptions two = Assumptions::all(set.device);
  two.restrict_by("algorithm-1");
  two.allowed[index_of<Queue>()] = one_of(Queue::fifo, Queue::skip_ahead);
  EXPECT_THAT(check({set}, two, {}).reason,
              HasSubstr("to be one behaviour: queue=fifo and queue=skip_ahead: no proof is about"));
  EXPECT_THAT(check_all({seen_on("two", {0, 2})}).reason, HasSubstr("too many are left"));
}

/// One hypothesis is left by its axes, and of its order only where two SMs are.
TEST(Check, DoesNotIdentifyAnOrderThatIsHalfKnown) {
  const RecordingSet set{"me", samples::device(), {seen_on("two", {3, 0})}};
  Assumptions learned = Assumptions::all(set.device);
  learned.restrict_by("tie_break=learned");
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis != index_of<TieBreak>()) learned.allowed[axis] = 1;
  }
  const Finding finding = check({set}, learned, {});
  ASSERT_EQ(finding.count.remaining, 1);
  EXPECT_EQ(finding.verdict, Verdict::ambiguous);
  EXPECT_THAT(finding.reason, HasSubstr("more than one order of the SMs"));
  // Nor where there are few of them.
  Recording counted = seen_on("one", {0});
  counted.facts = {{Fact::Kind::started, 0, 0, {1}, {}}};
  EXPECT_EQ(check({{"me", samples::device(), {counted}}}, learned, {}).verdict, Verdict::ambiguous);
}

TEST(Check, CountsAllRecordings) {
  const Finding finding = check_all({seen_on("full", {2, 2, 2, 0}), seen_on("alone", {0}),
                                     seen_on("two", {0, 2}), seen_on("one", {0})});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_EQ(finding.probes, 4);
}

TEST(Check, OfNoRecordingsNothingFollows) {
  EXPECT_EQ(check_all({}).verdict, Verdict::ambiguous);
  const Finding finding = check({{"me", samples::device(), {}}}, Hypothesis{});
  EXPECT_EQ(finding.verdict, Verdict::ambiguous);
  EXPECT_EQ(finding.reason, "there are no recordings to explain");
}

}  // namespace
}  // namespace cuvier
