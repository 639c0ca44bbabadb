// What somebody measured on B200s: no licence, so the data stays where it is.

#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "solver/check/check.h"
#include "solver/finding/mismatches.h"
#include "tests/shared_files.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class B200 : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"recordings/b200.jsonl", "recordings/b200-clusters.jsonl"}) {
      const auto path = shared_file(name);
      if (!path) GTEST_SKIP() << "recordings without a licence are not in the repository";
      sets_.push_back(read_recordings(*path));
    }
    sets_[0].device = sets_[1].device;  // in which clusters ran
  }

  std::vector<RecordingSet> sets_;
};

TEST_F(B200, IsAsItsNameSaysWithClustersAndWithout) {
  const Hypothesis recorded = hypothesis_from_text("b200-as-recorded");
  for (const RecordingSet& set : sets_) EXPECT_THAT(mismatches(set, recorded), IsEmpty());
}

/// One block on each SM does not show which SMs are taken where several fit, nor one kernel at a
/// time what comes behind a cluster.
TEST_F(B200, LeavesOpenOfClustersWhatSuchBlocksCannotShow) {
  const Finding finding = check(sets_, Assumptions::all(sets_[0].device), {});
  EXPECT_EQ(finding.verdict, Verdict::ambiguous);
  const auto left = [&]<class Axis>(Axis) { return finding.surviving[index_of<Axis>()]; };
  EXPECT_THAT(left(ClusterGpc{}), ElementsAre(ClusterGpc::in_turn, ClusterGpc::fewest_blocks));
  EXPECT_THAT(left(ClusterGpcOrder{}), ElementsAre(ClusterGpcOrder::smallest_first));
  EXPECT_THAT(left(ClusterSms{}), ElementsAre(ClusterSms::ascending, ClusterSms::fewest_blocks));
  EXPECT_THAT(left(ClusterSharing{}), ElementsAre(ClusterSharing::apart, ClusterSharing::shared));
  EXPECT_THAT(left(ClusterCursor{}), SizeIs(3));
  EXPECT_THAT(left(ClusterWait{}), SizeIs(2));
}

}  // namespace
}  // namespace cuvier
