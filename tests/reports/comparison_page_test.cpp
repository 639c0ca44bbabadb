#include <gtest/gtest.h>

#include "reports/comparison/comparison_report.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// Of a pair that nothing was proved of, it is not said that they are alike.
TEST(ComparisonPage, SaysWhatWasTriedWhereNothingIsKnown) {
  Comparison comparison;
  comparison.kind = Comparison::Kind::not_distinguished;
  comparison.reason = "no difference on 7 probes tried; no proof";
  Hypothesis other;
  other.set<Queue>(Queue::skip_ahead);
  const Page page = comparison_page(comparison, samples::device(), {}, other);
  ASSERT_EQ(page.verdict.spans.size(), 1u);
  EXPECT_EQ(page.verdict.spans[0].words,
            "not distinguished: no difference on 7 probes tried; no proof");
  EXPECT_EQ(result_of(comparison), "alike") << "as files have always had it";
}

}  // namespace
}  // namespace cuvier
