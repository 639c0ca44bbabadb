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

/// As a runner measures it: CUDA's name has more in it than the product.
TEST(PlausibleModels, OfARecordedGpuAreTheSameWhateverCudaCallsIt) {
  const auto names_of = [](const std::string& file, const std::string& name, int sms = 0) {
    Device device = find_device(file);
    device.name = name;
    if (sms > 0) device.sms = sms;
    return names_for(device);
  };
  EXPECT_THAT(names_of("h100", "NVIDIA H100 80GB HBM3"), ElementsAre("hopper-as-recorded"));
  EXPECT_THAT(names_of("a100", "NVIDIA A100-SXM4-40GB"), ElementsAre("a100-as-recorded"));
  EXPECT_THAT(names_of("a100", "A100-PCIE-40GB"), ElementsAre("a100-as-recorded"));
  // Other products: by their limits, and by their names.
  EXPECT_EQ(names_of("a100", "NVIDIA A100-SXM-64GB", 124).front(), "algorithm-1");
  EXPECT_EQ(names_of("rtx3090", "NVIDIA GeForce RTX 3090 Ti", 84).front(), "algorithm-1");
  EXPECT_EQ(names_of("h200", "NVIDIA GH200 480GB").front(), "algorithm-1");
  EXPECT_EQ(names_of("rtx3090", "a simulator").front(), "algorithm-1");
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
