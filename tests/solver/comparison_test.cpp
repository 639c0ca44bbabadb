#include "solver/query_selection/comparison.h"

#include <gmock/gmock.h>

#include <tuple>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "probes/fact.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/minimise.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

Observation observed(std::vector<Step> steps) { return {std::move(steps)}; }

Step starts(int kernel, std::vector<int> blocks, std::vector<int> sms) {
  Step step;
  Started& started = step.started.emplace_back();
  started.kernel = kernel;
  started.block = std::move(blocks);
  started.sm = std::move(sms);
  return step;
}

void expect_parting(const std::optional<Parting>& found, const Parting& expected) {
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, expected.step);
  EXPECT_EQ(found->kernel, expected.kernel);
  EXPECT_EQ(found->block, expected.block);
  EXPECT_EQ(found->sm_a, expected.sm_a);
  EXPECT_EQ(found->sm_b, expected.sm_b);
}

TEST(FirstParting, NoneWhereTheSameIsSeen) {
  const Observation same = observed({starts(0, {0, 1}, {0, 2}), {}});
  EXPECT_FALSE(first_parting(same, same));
}

TEST(FirstParting, IsTheFirstBlockOnAnotherSm) {
  expect_parting(first_parting(observed({starts(0, {0}, {0}), starts(1, {0, 1, 2}, {1, 2, 3})}),
                               observed({starts(0, {0}, {0}), starts(1, {0, 1, 2}, {1, 3, 2})})),
                 {1, 1, 1, 2, 3});
}

TEST(FirstParting, IsABlockThatWaits) {
  expect_parting(
      first_parting(observed({starts(0, {0, 1}, {0, 2})}), observed({starts(0, {0}, {0})})),
      {0, 0, 1, 2, -1});
  expect_parting(first_parting(observed({Step{}}), observed({starts(2, {4}, {5})})),
                 {0, 2, 4, -1, 5});
}

TEST(FirstParting, IsInTheEarliestStepWhateverTheKernel) {
  expect_parting(first_parting(observed({starts(3, {0}, {1}), starts(0, {0}, {1})}),
                               observed({starts(3, {0}, {2}), starts(0, {0}, {2})})),
                 {0, 3, 0, 1, 2});
}

TEST(FirstParting, SeesChannels) {
  Step a = starts(0, {0, 1}, {4, 5});
  Step b = a;
  a.started[0].warp_slot = {{0}, {0}};
  b.started[0].warp_slot = {{0}, {1}};
  expect_parting(first_parting(observed({a}), observed({b})), {0, 0, 1, 5, 5});
  b = a;
  a.shared_config[0] = 8192;
  b.shared_config[0] = 16384;
  expect_parting(first_parting(observed({a}), observed({b})), {0, 0, -1, -1, -1});
}

class Comparisons : public ::testing::Test {
 protected:
  Comparison compared(const std::string& a, const std::string& b,
                      const std::vector<std::string>& channels = {}) {
    ComparisonOptions options;
    options.channels = channels;
    options.seconds = 5;
    return compare(device_, hypothesis_from_text(a), hypothesis_from_text(b), options);
  }

  Device device_ = small_device(8);
};

TEST_F(Comparisons, ADifferenceIsWhatBothPredict) {
  const Comparison comparison = compared("algorithm-1", "selection=round_robin");
  ASSERT_EQ(comparison.kind, Comparison::Kind::different);
  const Distinction& found = comparison.distinction.value();
  validate(found.probe, device_, "distinction");
  EXPECT_EQ(found.a, without_channels(predict(device_, {}, found.probe)));
  EXPECT_EQ(found.b,
            without_channels(predict(device_, hypothesis_from_text("round-robin"), found.probe)));
  expect_parting(first_parting(found.a, found.b), found.parting);
  // Nothing follows the step in which they part.
  EXPECT_EQ(found.parting.step + 1, static_cast<int>(found.probe.script.size()));
}

TEST_F(Comparisons, TheSameSeedFindsTheSameProbe) {
  const Comparison one = compared("bfa", "dfa");
  const Comparison other = compared("bfa", "dfa");
  ASSERT_TRUE(one.distinction && other.distinction);
  EXPECT_EQ(one.distinction->probe, other.distinction->probe);
}

TEST_F(Comparisons, ACursorThatStaysShowsInOneProbe) {
  EXPECT_EQ(compared("round-robin", "round-robin,cursor_reset=never").kind,
            Comparison::Kind::different);
}

TEST_F(Comparisons, HolesOnEverySmTellPlacementsApartWhereTheCursorSticks) {
  EXPECT_EQ(compared("simtbs", "simtbs,shared_placement=best_fit").kind,
            Comparison::Kind::different);
}

TEST_F(Comparisons, WhatIsNotSeenIsProvedToMakeNoDifference) {
  const Comparison unseen = compared("algorithm-1", "pointer_reset=never");
  EXPECT_EQ(unseen.kind, Comparison::Kind::equivalent);
  EXPECT_TRUE(unseen.proof);
  EXPECT_EQ(compared("algorithm-1", "pointer_reset=never", {"warp_slot"}).kind,
            Comparison::Kind::different);
}

TEST_F(Comparisons, OfWhereClustersGoFindAProbeThatIsMadeSmall) {
  device_ = clustered_device(8);
  const std::string other = "cluster_sms=tpc_interleaved";
  const Comparison comparison = compared("algorithm-1", other);
  ASSERT_EQ(comparison.kind, Comparison::Kind::different);
  const Minimised small =
      minimise_between(comparison.distinction->probe, device_, {}, hypothesis_from_text(other));
  const ProbeSize size = size_of(small.probe);
  EXPECT_EQ(std::tuple(size.kernels, size.actions, size.blocks, size.clusters),
            std::tuple(1, 1, 3, 3))
      << "a cluster of three: the first of two goes to a GPC of one TPC";
}

/// A rule that is another in one case only is asked for that case.
TEST_F(Comparisons, OfAFormulaAskForTheNumbersThatItNames) {
  for (const char* formula :
       {"shared_granularity=bytes == 12345 ? 16384 : (bytes + 127) / 128 * 128",
        "runtime_shared=1024 + (w == 7 and bytes == 5000 ? 4096 : 0)",
        "register_granularity=registers == 77 ? 4096 : (registers * 32 + 255) / 256 * 256",
        "connection=stream mod 8"}) {
    EXPECT_TRUE(compared("algorithm-1", formula).distinction) << formula;
  }
}

TEST_F(Comparisons, ProveOfClustersOnlyWhatIsShown) {
  device_ = clustered_device(8);
  const auto of_pointers = [&](const std::string& both) {
    return compared(both, both + ",pointer_reset=never");
  };
  EXPECT_EQ(of_pointers("cluster_sms=fewest_blocks").kind, Comparison::Kind::equivalent);
  EXPECT_EQ(of_pointers("cluster_sharing=shared").kind, Comparison::Kind::equivalent);
  const Comparison unproved = compared(
      "selection=first_fit,cluster_sharing=shared,cluster_wait=passed",
      "selection=first_fit,dispatch_batch=pair,cluster_sharing=shared,cluster_wait=passed");
  EXPECT_NE(unproved.kind, Comparison::Kind::equivalent);
  EXPECT_THAT(unproved.reason, HasSubstr("they may place pairs of blocks differently"));
}

TEST_F(Comparisons, EndsInTheMidstOfAProof) {
  int told = 0;
  const Task task([&](const std::string& doing) {
    told += doing.starts_with("trying to prove");
    return told > 1 ? "interrupted" : "";
  });
  EXPECT_THROW(compare(device_, {}, hypothesis_from_text("pointer_reset=never"), {}, task),
               Stopped);
}

TEST_F(Comparisons, ADeviceWithoutFactsCannotBeCompared) {
  device_.gpc_of_sm.clear();
  EXPECT_THROW(compared("algorithm-1", "tie_break=gpc_major"), Error);
}

}  // namespace
}  // namespace cuvier
