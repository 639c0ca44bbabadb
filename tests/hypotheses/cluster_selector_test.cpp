// What the axes of clusters mean (scheduler.md section 4, Clusters), by example.

#include "hypotheses/scheduler/cluster_selector.h"

#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using SmsOfBlocks = std::vector<int>;

/// GPCs of SMs 0 1 6 7, 2 3 8 9 and 4 5 10 11 12 13.
class Clusters : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = samples::device();
    device_.sms = 14;
    device_.max_cluster = 4;
    device_.gpc_of_sm = {5, 5, 2, 2, 7, 7, 5, 5, 2, 2, 7, 7, 7, 7};
  }

  /// One block fills an SM.
  int launch(int blocks, std::optional<int> cluster) {
    return launch_of(device_.max_shared_per_block, blocks, cluster);
  }
  /// Many fit.
  int launch_small(int blocks, std::optional<int> cluster) { return launch_of(0, blocks, cluster); }
  void release(int kernel, SmsOfBlocks blocks = {}) {
    probe_.script.push_back({std::nullopt, {{kernel, std::move(blocks)}}});
  }

  /// Where the kernel's blocks start in the step; the last one without.
  SmsOfBlocks where(const std::string& hypothesis, int kernel, int step = -1) const {
    const Observation seen = predict(device_, hypothesis_from_text(hypothesis), probe_);
    const Step& in = step < 0 ? seen.steps.back() : seen.steps.at(step);
    for (const Started& started : in.started) {
      if (started.kernel == kernel) return started.sm;
    }
    return {};
  }

  Device device_;
  Probe probe_{"p", {}, {}};

 private:
  int launch_of(int shared, int blocks, std::optional<int> cluster) {
    const int k = static_cast<int>(probe_.kernels.size());
    probe_.kernels.push_back(
        {"k" + std::to_string(k), blocks, 32, 32, shared, 0, 0, std::nullopt, cluster});
    probe_.script.push_back({k, {}});
    return k;
  }
};

TEST_F(Clusters, GoToOneGpcOrWait) {
  const int plugs = launch(3, std::nullopt);
  const int k = launch(8, 4);
  const std::string linear = "tie_break=linear";  // 0, 1 and 2 are taken
  EXPECT_THAT(where(linear, plugs, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(where(linear, k), ElementsAre(4, 5, 10, 11));
  release(plugs, {2});
  EXPECT_THAT(where(linear, k), ElementsAre(2, 3, 8, 9));
}

TEST_F(Clusters, GetAGpcByTheAxis) {
  const int k = launch(14, 2);
  EXPECT_THAT(where("cluster_gpc=in_turn", k),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
  EXPECT_THAT(where("cluster_gpc=first_fit", k),
              ElementsAre(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13));
  EXPECT_THAT(where("cluster_gpc=most_room", k),
              ElementsAre(4, 5, 0, 1, 2, 3, 10, 11, 6, 7, 8, 9, 12, 13));
  EXPECT_THAT(where("cluster_gpc=fewest_blocks,cluster_gpc_order=largest_first", k),
              ElementsAre(4, 5, 0, 1, 2, 3, 10, 11, 6, 7, 8, 9, 12, 13));
}

TEST_F(Clusters, ComeToGpcsInTheirOrder) {
  const int k = launch(6, 2);
  device_.gpc_of_sm = {7, 7, 2, 2, 5, 5, 7, 7, 2, 2, 5, 5, 7, 7};
  EXPECT_THAT(where("cluster_gpc_order=smallest_first", k), ElementsAre(2, 3, 4, 5, 0, 1));
  EXPECT_THAT(where("cluster_gpc_order=lowest_sm", k), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(where("cluster_gpc_order=largest_first", k), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Clusters, GetSmsByTheAxis) {
  const int k = launch_small(4, 2);
  EXPECT_THAT(where("cluster_gpc=first_fit", k), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(where("cluster_gpc=first_fit,cluster_sms=tpc_interleaved", k),
              ElementsAre(0, 6, 0, 6));
  EXPECT_THAT(where("cluster_gpc=first_fit,cluster_sms=fewest_blocks", k), ElementsAre(0, 1, 6, 7));
}

TEST_F(Clusters, GetTheTpcsOfAGpcByTheirLowestSm) {
  device_.sms = 6;
  device_.gpc_of_sm.assign(6, 0);
  device_.tpc_of_sm = {3, 1, 1, 3, 3, 0};  // SMs 0 3 4, 1 2 and 5
  const int k = launch(6, 1);
  EXPECT_THAT(where("cluster_sms=tpc_interleaved", k), ElementsAre(0, 1, 5, 3, 2, 4));
  device_.sms = 4;
  device_.gpc_of_sm.assign(4, 0);
  device_.tpc_of_sm = {0, 1, 1, 0};
  EXPECT_THAT(where("cluster_sms=tpc_interleaved", k), ElementsAre(0, 1, 3, 2));
}

TEST_F(Clusters, ShareSmsOrTpcsByTheAxis) {
  const int k = launch_small(8, 4);
  EXPECT_THAT(where("cluster_sharing=apart", k), ElementsAre(0, 1, 6, 7, 2, 3, 8, 9));
  EXPECT_THAT(where("cluster_sharing=shared", k), ElementsAre(0, 0, 0, 0, 2, 2, 2, 2));
  EXPECT_THAT(where("cluster_sharing=shared,cluster_sms=fewest_blocks", k),
              ElementsAre(0, 1, 6, 7, 2, 3, 8, 9));
  EXPECT_THAT(where("cluster_sharing=tpc_apart", k), IsEmpty()) << "no GPC has four TPCs";
  const int pairs = launch_small(2, 2);
  EXPECT_THAT(where("cluster_sharing=tpc_apart,cluster_wait=passed", pairs), ElementsAre(0, 6));
}

/// Three of an SM's sixteen slots are free: what is shared is what fits.
TEST_F(Clusters, ShareAnSmAsLongAsTheNextBlockFits) {
  launch_small(13 * device_.sms, std::nullopt);
  const int k = launch_small(4, 4);
  EXPECT_THAT(where("cluster_sharing=shared", k), ElementsAre(0, 0, 0, 1));
}

TEST_F(Clusters, BeginAndGoOnByTheAxis) {
  const int plain = launch_small(1, std::nullopt);
  const int first = launch_small(2, 2);
  const int second = launch_small(2, 2);
  EXPECT_THAT(where("algorithm-1", plain, 0), ElementsAre(0));
  EXPECT_THAT(where("cluster_cursor=device_idle", first, 1), ElementsAre(0, 1));
  EXPECT_THAT(where("cluster_cursor=device_idle", second), ElementsAre(2, 3));
  EXPECT_THAT(where("cluster_cursor=kernel", second), ElementsAre(0, 1));
  EXPECT_THAT(where("cluster_cursor=shared", first, 1), ElementsAre(2, 3));
  EXPECT_THAT(where("cluster_cursor=shared", second), ElementsAre(4, 5));
  release(plain);
  release(first);
  release(second);
  const int after_idle = launch_small(2, 2);
  for (const char* each : {"device_idle", "kernel", "shared"}) {
    EXPECT_THAT(where(std::string("cluster_cursor=") + each, after_idle), ElementsAre(0, 1));
  }
}

/// In this order GPC 4 5 10 11 12 13 comes first and got the latest cluster; then 0 1 6 7.
TEST_F(Clusters, GoOnAfterTheIdleDeviceByTheAxis) {
  const int k = launch(16, 2);  // the last two wait
  release(k);
  const std::string order = "cluster_gpc_order=largest_first,cluster_cursor=";
  EXPECT_THAT(where(order + "device_idle", k), ElementsAre(4, 5));
  EXPECT_THAT(where(order + "kernel", k), ElementsAre(0, 1));
  EXPECT_THAT(where(order + "shared", k), ElementsAre(4, 5));
}

TEST_F(Clusters, OfAKernelBeginAtTheStartOnceItIsTriedWhateverItWaitsFor) {
  const int k = launch(16, 2);
  const std::string order =
      "queue=skip_ahead,cluster_gpc_order=largest_first,cluster_cursor=kernel";
  release(k, {0, 1, 2, 3});  // of SMs 4 5 and 0 1
  EXPECT_THAT(where(order, k), ElementsAre(0, 1));
  probe_.script.pop_back();
  const int waits = launch(2, 2);
  probe_.kernels[waits].local = 1024;
  release(k, {0, 1, 2, 3});
  EXPECT_THAT(where(order, k), ElementsAre(4, 5));
}

/// On behind the cluster's GPC, not in it: SM 2, not 6.
TEST_F(Clusters, ThatShareTheCursorMoveThatOfSingleBlocks) {
  launch_small(2, 2);
  const int k = launch_small(1, std::nullopt);
  const std::string in_turn = "hierarchy=gpc,group_selection=round_robin,cluster_cursor=";
  EXPECT_THAT(where(in_turn + "device_idle", k), ElementsAre(6));
  EXPECT_THAT(where(in_turn + "shared", k), ElementsAre(2));
}

TEST_F(Clusters, ThatWaitHoldUpOthersOrNot) {
  launch(11, std::nullopt);
  const int waits = launch(4, 4);
  const int k = launch(1, std::nullopt);
  for (const char* hypothesis : {"cluster_wait=holds", "cluster_wait=passed"}) {
    EXPECT_THAT(where(hypothesis, waits, 1), IsEmpty());
  }
  EXPECT_THAT(where("cluster_wait=holds", k), IsEmpty());
  EXPECT_EQ(where("cluster_wait=passed", k).size(), 1u);
  EXPECT_EQ(where("cluster_wait=holds,queue=skip_ahead", k).size(), 1u);
}

TEST_F(Clusters, OfOneTakeThePathOfClusters) {
  const int k = launch(3, 1);
  EXPECT_THAT(where("algorithm-1", k), ElementsAre(0, 2, 4));
}

TEST_F(Clusters, GoThroughGpcsInAnOrderThatTheirSizeMaySay) {
  const std::string by_size = "cluster_gpc_order=cluster > 2 ? -sms : sms";
  launch(4, 4);
  EXPECT_THAT(where(by_size, 0), ElementsAre(4, 5, 10, 11));
  launch(2, 2);
  EXPECT_THAT(where(by_size, 1), ElementsAre(0, 1));
}

TEST_F(Clusters, MayBeginAtTheEndOfSomeGpcs) {
  const std::string backwards = "cluster_sms=gpc mod 2 == 1 ? -place_in_gpc : place_in_gpc";
  launch(4, 2);
  EXPECT_THAT(where(backwards, 0), ElementsAre(0, 1, 8, 9));
}

TEST_F(Clusters, MayGoWhereTheirKernelHasFewestBlocks) {
  const std::string apart = "cluster_gpc=64 * own + gpc";
  launch_small(8, 2);
  EXPECT_THAT(where(apart, 0), ElementsAre(0, 1, 2, 3, 4, 5, 0, 1));
  launch_small(2, 2);
  EXPECT_THAT(where(apart, 1), ElementsAre(0, 1)) << "another kernel's";
}

TEST_F(Clusters, MayBeSoManyInAGpc) {
  launch_small(6, 2);
  const std::string two = "cluster_gpc=first_fit,admission=cluster < 1 or gpc_clusters < 2";
  EXPECT_THAT(where("cluster_gpc=first_fit", 0), ElementsAre(0, 1, 0, 1, 0, 1));
  EXPECT_THAT(where(two, 0), ElementsAre(0, 1, 0, 1, 2, 3));
}

TEST_F(Clusters, MayKeepSingleBlocksOutOfTheirTpc) {
  launch_small(2, 2);
  launch_small(1, std::nullopt);
  EXPECT_THAT(where("algorithm-1", 1), ElementsAre(2)) << "where there is most room";
  EXPECT_THAT(where("selection=first_fit,admission=tpc_blocks == tpc_clustered and cluster > 0 or "
                    "tpc_clustered + cluster == 0",
                    1),
              ElementsAre(2));
  EXPECT_THAT(where("selection=first_fit", 1), ElementsAre(0));
}

TEST_F(Clusters, HaveGpcsThatSingleBlocksKnow) {
  launch_small(4, std::nullopt);
  EXPECT_THAT(where("selection=gpc_blocks", 0), ElementsAre(0, 2, 4, 0));
  EXPECT_THAT(where("selection=(gpc == home_gpc ? 0 : 1, -room)", 0), ElementsAre(0, 6, 1, 7));
  EXPECT_THAT(where("selection=(-sms_of_gpc, -room)", 0), ElementsAre(4, 10, 12, 5));
  EXPECT_THAT(where("selection=first_fit,admission=gpc > 0 and gpc_blocks < 2", 0),
              ElementsAre(2, 2, 4, 4));
  EXPECT_THAT(where("selection=first_fit,admission=place_in_gpc == 3 or sms_of_gpc > 4", 0),
              ElementsAre(4, 4, 4, 4));
}

}  // namespace
}  // namespace cuvier
