#include <gtest/gtest.h>

#include "reports/placements/placements_report.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

TEST(ObservationText, IsATableByStepAndKernel) {
  EXPECT_EQ(observation_text(samples::observation(), samples::probe()),
            "step  action         starts   blocks  on SMs\n"
            "0     launch k2      4 of k2  0..3    0,2,1,3\n"
            "1     launch k1      1 of k1  0       0\n"
            "                     waiting: 1 of k1\n"
            "2     release k2     1 of k1  1       2\n"
            "3     release k1[1]  nothing\n"
            "4     launch k3      nothing\n"
            "                     waiting: 1 of k3\n"
            "the target configuration of k2 is 8,192 bytes of shared memory\n");
}

TEST(ObservationText, WhereOnlyFactsAreKnownThoseAreShown) {
  const Answer answer{{{Fact::Kind::started, 1, 1, {0}, {}}}, std::nullopt};
  EXPECT_EQ(answer_text(answer, samples::probe()),
            "only facts are known of this one:\n"
            "  step 1, k1: starts 0 blocks\n");
}

TEST(ObservationText, ActionsAreInWords) {
  const Probe probe = samples::probe();
  EXPECT_EQ(action_words({std::nullopt, {{0, {}}, {1, {0, 1}}}}, probe), "release k2, k1[0,1]");
  EXPECT_EQ(action_words({std::nullopt, {}}, probe), "settle");
}

}  // namespace
}  // namespace cuvier
