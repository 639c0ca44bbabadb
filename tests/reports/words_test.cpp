#include "reports/document/words.h"

#include <gtest/gtest.h>

#include "hypotheses/assumptions.h"

namespace cuvier {
namespace {

TEST(Words, CountsAreReadable) {
  EXPECT_EQ(count_words(0), "0");
  EXPECT_EQ(count_words(999), "999");
  EXPECT_EQ(count_words(1536), "1,536");
  EXPECT_EQ(count_words(999999), "999,999");
  EXPECT_EQ(count_words(1e6), "1.0e6");
  EXPECT_EQ(count_words(3.8e14), "3.8e14");
  EXPECT_EQ(all_digits(1'250'000), "1,250,000");
}

TEST(Words, NounsAgreeWithTheirNumbers) {
  EXPECT_EQ(counted(1, "probe"), "1 probe");
  EXPECT_EQ(counted(0, "probe"), "0 probes");
  EXPECT_EQ(counted(1536, "hypothesis", "hypotheses"), "1,536 hypotheses");
}

TEST(Words, Durations) {
  EXPECT_EQ(duration_words(0.04), "0.0 s");
  EXPECT_EQ(duration_words(9.96), "10 s");
  EXPECT_EQ(duration_words(59.4), "59 s");
  EXPECT_EQ(duration_words(200), "3 min 20 s");
  EXPECT_EQ(duration_words(7380), "2 h 3 min");
}

TEST(Words, RunsOfEqualStepAreShort) {
  EXPECT_EQ(runs_words({}), "-");
  EXPECT_EQ(runs_words({7}), "7");
  EXPECT_EQ(runs_words({0, 1}), "0,1");
  EXPECT_EQ(runs_words({0, 1, 2}), "0..2");
  EXPECT_EQ(runs_words({0, 2, 4}), "0,2,4");
  EXPECT_EQ(runs_words({0, 2, 4, 6, 1, 3, 5, 7}), "0,2..6,1,3..7");
  EXPECT_EQ(runs_words({3, 2, 1, 0}), "3,2..0");
  EXPECT_EQ(runs_words({5, 5, 5, 5}), "5,5,5,5");
  EXPECT_EQ(runs_words({0, 5, 5, 5, 5, 5, 6}), "0,5 (5 times),6");
  EXPECT_EQ(runs_words({0, 0, 2, 2, 4, 6, 8, 10}), "0,0,2,2,4..10");
}

TEST(ModelWords, SayWhatIsLeftUnsaid) {
  Hypothesis hypothesis;
  EXPECT_EQ(model_words(hypothesis), "algorithm-1");
  hypothesis.set<Queue>(Queue::skip_ahead);
  EXPECT_EQ(model_words(hypothesis), "queue=skip_ahead (the rest as in algorithm-1)");
  EXPECT_EQ(model_words(hypothesis_from_text("b200-as-recorded")), "b200-as-recorded");
}

TEST(ValueSentence, SaysWhatAValueDoes) {
  const int selection = *find_axis("selection");
  EXPECT_EQ(value_sentence(selection, Selection::fewest_warps),
            "Each block goes to the SM with the fewest resident warps (breadth first, BFA)");
  EXPECT_EQ(value_sentence(*find_axis("register_pool"), RegisterPool::per_sm),
            "The registers of an SM are one pool");
  const int pointer_skip = *find_axis("pointer_skip");
  EXPECT_EQ(value_sentence(pointer_skip, formula_value(pointer_skip, "next * 2")),
            "Where the warp pointer goes after a block: a formula: next × 2");
}

TEST(Words, ColumnsAlign) {
  EXPECT_EQ(aligned({{"a", "b"}, {"long", "c"}, {"x", ""}}, 2),
            "  a     b\n"
            "  long  c\n"
            "  x\n");
}

}  // namespace
}  // namespace cuvier
