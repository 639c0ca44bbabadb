// Lee et al. 2014: lazy scheduling of blocks, and how blocks go to GPCs.

#include <gmock/gmock.h>

#include <chrono>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "tests/samples.h"
#include "uses/simulate/workload.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;

// Its example: of four blocks three take turns, and the last never comes to issue.
TEST(LazyBlocks, OfItsExampleThreeAreCalledEnough) {
  const std::vector<int> issued = issued_when_first_ends({4, 2}, 4);
  EXPECT_THAT(issued, ElementsAre(4, 3, 3, 0));
  EXPECT_EQ(lazy_blocks(issued, BlockRounding::up), 3);
  EXPECT_EQ(lazy_blocks(issued, BlockRounding::nearest), 3);
  EXPECT_EQ(lazy_blocks(issued, BlockRounding::down), 2);
}

TEST(LazyBlocks, WhoNeverWaitsNeedsNobody) {
  EXPECT_THAT(issued_when_first_ends({100, 0}, 8), ElementsAre(100, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(lazy_blocks({100, 0, 0}, BlockRounding::up), 1);
  EXPECT_EQ(lazy_blocks({}, BlockRounding::up), 1);
  EXPECT_EQ(lazy_blocks({0, 0}, BlockRounding::up), 1);
}

TEST(LazyBlocks, ThroughputGrowsUntilEveryCycleIssues) {
  EXPECT_THAT(throughput_by_blocks({1000, 3}, 6),
              ElementsAre(::testing::DoubleNear(0.25, 0.01), ::testing::DoubleNear(0.5, 0.01),
                          ::testing::DoubleNear(0.75, 0.01), ::testing::DoubleNear(1, 0.01),
                          ::testing::DoubleNear(1, 0.01), ::testing::DoubleNear(1, 0.01)));
  EXPECT_EQ(lazy_blocks(issued_when_first_ends({1000, 3}, 8), BlockRounding::nearest), 4);
}

/// As many cycles pass as there may be, in few of which anything happens.
TEST(LazyBlocks, LongWaitsCostNothing) {
  EXPECT_THAT(issued_when_first_ends({3, 10}, 2), ElementsAre(3, 2));
  constexpr int n = 100'000;
  constexpr int stall = 10'000;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<double> throughput = throughput_by_blocks({n, stall}, 8);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_DOUBLE_EQ(throughput[7], (n + 7.0 * (n - 1)) / ((n - 1.0) * (stall + 1) + 1));
}

// Its Figure 3: GPCs of 4, 4, 3 and 3 SMs, 84 blocks, six of which fit on an SM.
TEST(LazyBlocks, BlocksGoRoundTheGpcs) {
  Device device = samples::device();
  device.name = "14 SMs";
  device.sms = 14;
  device.sms_per_tpc = 1;
  device.gpc_of_sm = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  const Hypothesis hypothesis = hypothesis_from_text(
      "hierarchy=gpc,group_turn=each_sm_once,group_selection=round_robin,selection=round_robin,"
      "dispatch_batch=single,tie_break=linear");
  const Probe probe{"figure 3", {samples::kernel("a", 84, 256)}, {{0, {}}}};
  const Observation seen = predict(device, hypothesis, probe);
  ASSERT_EQ(seen.steps[0].started.size(), 1u);
  const std::vector<int>& sm = seen.steps[0].started[0].sm;
  ASSERT_EQ(sm.size(), 84u);
  for (int block = 0; block < 84; ++block) EXPECT_EQ(sm[block], block % 14) << block;
}

}  // namespace
}  // namespace cuvier
