#include "hypotheses/plausible_models.h"

#include <gmock/gmock.h>

#include "hypotheses/devices.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names_for(const Device& device) {
  std::vector<std::string> names;
  for (const NamedHypothesis& each : plausible_models(device)) names.emplace_back(each.name);
  return names;
}

TEST(PlausibleModels, OfARecordedGpuAreWhatExplainsItsRecordings) {
  EXPECT_THAT(names_for(find_device("rtx3090")), ElementsAre("rtx3090-as-recorded"));
  EXPECT_THAT(names_for(find_device("a100")), ElementsAre("a100-as-recorded"));
  EXPECT_THAT(names_for(find_device("rtx2080ti")), ElementsAre("rtx2080ti-as-recorded"));
  EXPECT_THAT(names_for(find_device("b200")), ElementsAre("b200-as-recorded"));
  EXPECT_THAT(names_for(find_device("h100")), ElementsAre("hopper-as-recorded"));
  EXPECT_THAT(names_for(find_device("h200")), ElementsAre("hopper-as-recorded"));
}

TEST(PlausibleModels, OfAnotherGpuAreAlgorithm1AndWhateverExplainsSome) {
  EXPECT_THAT(names_for(find_device("v100")),
              ElementsAre("algorithm-1", "a100-as-recorded", "rtx2080ti-as-recorded",
                          "rtx3090-as-recorded"));
  EXPECT_THAT(names_for(find_device("rtx5090")),
              ElementsAre("algorithm-1", "a100-as-recorded", "b200-as-recorded",
                          "rtx2080ti-as-recorded", "rtx3090-as-recorded"));
}

TEST(PlausibleModels, NeedNothingThatTheDeviceDoesNotGive) {
  Device device = find_device("b200");
  device.gpc_of_sm.clear();
  EXPECT_FALSE(recorded_model(device));
  EXPECT_EQ(names_for(device).front(), "algorithm-1");
}

TEST(ModelName, IsTakenByModelArguments) {
  for (const NamedHypothesis& each : named_hypotheses()) {
    EXPECT_EQ(model_name(each.hypothesis), each.name);
  }
  Hypothesis other;
  other.set<Queue>(Queue::skip_ahead);
  EXPECT_EQ(model_name(other), "queue=skip_ahead");
}

}  // namespace
}  // namespace cuvier
