#include "reports/comparison_text.h"

#include <gmock/gmock.h>

#include "reports/comparison_json.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// Of a pair that nothing was proved of, it is not said that they are alike.
TEST(ComparisonText, SaysWhatWasTriedWhereNothingIsKnown) {
  Comparison comparison;
  comparison.kind = Comparison::Kind::not_distinguished;
  comparison.reason = "no difference on 7 probes tried; no proof";
  Hypothesis other;
  other.set<Queue>(Queue::skip_ahead);
  EXPECT_THAT(
      comparison_text(comparison, samples::device(), {}, other),
      testing::StartsWith("not distinguished: no difference on 7 probes tried; no proof\n"));
  EXPECT_EQ(result_of(comparison), "alike") << "as files have always had it";
}

}  // namespace
}  // namespace cuvier
