#include "solver/infer/map_questions.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "hypotheses/simulated_oracle.h"
#include "probes/oracles/forwarded_oracle.h"
#include "solver/check/check.h"
#include "solver/diagnosis/other_maps.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// GPCs in columns: two of four SMs in each row of eight, and single TPCs at the end.
Device true_device() {
  Device device = samples::device();
  device.sms = 36;
  device.max_cluster = 4;
  for (int sm = 0; sm < device.sms; ++sm) {
    device.gpc_of_sm.push_back(sm < 32 ? sm % 8 / 4 : 2 + (sm - 32) / 2);
  }
  return device;
}

/// TPCs of the first SM and the last, the second and the last but one, and so on.
Device folded_device() {
  Device device = samples::device();
  device.sms = 12;
  for (int sm = 0; sm < device.sms; ++sm) device.tpc_of_sm.push_back(std::min(sm, 11 - sm));
  return device;
}

class MapQuestions : public ::testing::Test {
 protected:
  /// What a check says of a plain grid on the true device that another file describes.
  Finding learned_by(const Device& claimed) {
    Oracle& oracle = *oracle_;
    Kernel kernel = samples::kernel("k", claimed.sms, 32);
    kernel.shared = claimed.max_shared_per_block;
    Probe probe{"plain", {kernel}, {{0, {}}}};
    const Answer answer = oracle.run(probe, 1).front();
    const RecordingSet asked{"mine", claimed, {{probe, answer.facts, true, "mine.jsonl:2"}}};
    Finding finding = check({asked}, Assumptions::all(claimed), {});
    finding.counted = asked;
    return finding;
  }

  void open(const Device& claimed) {
    Hypothesis hypothesis;
    hypothesis.set<TieBreak>(TieBreak::gpc_smallest_first);
    open(true_device(), hypothesis, claimed);
  }
  void open(const Device& truth, const Hypothesis& hypothesis, const Device& claimed) {
    oracle_ = std::make_unique<CorrectedOracle>(
        std::make_unique<SimulatedOracle>("sim", truth, hypothesis, 1), claimed);
  }

  samples::Folder folder_;
  std::unique_ptr<Oracle> oracle_;
};

TEST_F(MapQuestions, ClustersLeaveTheMapThatTheDeviceHas) {
  Device claimed = true_device();
  claimed.gpc_of_sm.clear();
  open(claimed);
  Finding finding = learned_by(claimed);
  ASSERT_GT(finding.maps.size(), 1u);
  EXPECT_NE(finding.maps.front().device.gpc_of_sm, true_device().gpc_of_sm);
  ask_about_maps(*oracle_, folder_.path("m"), finding, {});
  ASSERT_THAT(finding.maps, SizeIs(1));
  EXPECT_EQ(finding.maps.front().device.gpc_of_sm, true_device().gpc_of_sm);
  EXPECT_GT(finding.maps.front().clusters, 10);
  EXPECT_THAT(read_recordings(folder_.path("m/clusters-1/journal.jsonl")).recordings, SizeIs(5));
}

TEST_F(MapQuestions, CarveOutsAgreeWithTheTpcsThatTheDeviceHas) {
  Device claimed = folded_device();
  claimed.tpc_of_sm.clear();
  open(folded_device(), {}, claimed);
  Finding finding = learned_by(claimed);
  ask_about_maps(*oracle_, folder_.path("m"), finding, {});
  ASSERT_THAT(finding.maps, SizeIs(1));
  EXPECT_EQ(finding.maps.front().device.tpc_of_sm, folded_device().tpc_of_sm);
  EXPECT_EQ(finding.maps.front().carve_outs, 6);
  EXPECT_THAT(read_recordings(folder_.path("m/carve-outs-1/journal.jsonl")).recordings, SizeIs(6));
}

TEST_F(MapQuestions, CarveOutsRefuteTpcsThatOnlyTheOrderSuggests) {
  Device device = folded_device();
  device.tpc_of_sm.clear();
  Hypothesis learned;
  learned.set<TieBreak>(TieBreak::learned);
  learned.order = {0, 1, 2, 3, 4, 5, 11, 10, 9, 8, 7, 6};
  open(device, learned, device);
  Finding finding = learned_by(device);
  ASSERT_THAT(finding.maps, SizeIs(1));
  EXPECT_EQ(finding.maps.front().device.tpc_of_sm, folded_device().tpc_of_sm);
  ask_about_maps(*oracle_, folder_.path("m"), finding, {});
  EXPECT_THAT(finding.maps, IsEmpty());
}

TEST_F(MapQuestions, AreNotAskedWhereNothingCouldShowThemOrTheTaskEnds) {
  Device claimed = true_device();
  claimed.gpc_of_sm.clear();
  open(claimed);
  Finding finding = learned_by(claimed);
  const std::size_t before = finding.maps.size();
  ask_about_maps(*oracle_, folder_.path("m"), finding,
                 Task([](const std::string&) { return "interrupted"; }));
  EXPECT_THAT(finding.maps, SizeIs(before));
  finding.device.max_cluster = 0;
  finding.device.sms_per_tpc = 1;
  ask_about_maps(*oracle_, folder_.path("n"), finding, {});
  EXPECT_FALSE(std::filesystem::exists(folder_.path("n")));
}

}  // namespace
}  // namespace cuvier
