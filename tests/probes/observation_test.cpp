#include "probes/observation.h"

#include <gtest/gtest.h>

#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using samples::observation_text;
using samples::with;

TEST(Observation, IsWrittenAsItIsRead) {
  EXPECT_EQ(to_json(samples::observation(), samples::probe()).dump(), observation_text);
}

TEST(Observation, ReadsBlocksByKernel) {
  const Observation observation = samples::observation();
  EXPECT_EQ(observation.steps[1].started, (std::vector<Started>{{1, {0}, {0}, {{6}}, {300}}}));
  EXPECT_EQ(observation.steps[0].shared_config, (std::map<int, int>{{0, 8192}}));
}

TEST(Observation, OrdersKernelsAsTheProbeDoesAndDropsTheIdle) {
  const std::string text = with(
      observation_text,
      R"({"started":{"k1":{"block":[1],"sm":[2],"warp_slot":[[3]],"start_ns":[400]}}})",
      R"({"started":{"k1":{"block":[1],"sm":[2]},"k3":{"block":[],"sm":[]},"k2":{"block":[],"sm":[]}}})");
  const Observation observation =
      observation_from_json(parse_json(text, "run"), samples::probe(), samples::device(), "run");
  EXPECT_EQ(observation.steps[2].started, (std::vector<Started>{{1, {1}, {2}, {}, {}}}));
}

struct FaultyObservation {
  const char* from;
  const char* to;
  const char* message;
};

class BrokenObservation : public ::testing::TestWithParam<FaultyObservation> {};

TEST_P(BrokenObservation, IsRefused) {
  const Json json =
      parse_json(with(observation_text, GetParam().from, GetParam().to), "observation");
  EXPECT_EQ(message_of([&] {
              observation_from_json(json, samples::probe(), samples::device(), "exec:x", "runs[0]");
            }),
            std::string("exec:x: runs[0].") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Observation, BrokenObservation,
    ::testing::Values(
        FaultyObservation{R"({"steps":)", R"({"step":)",
                          "steps: is missing; add it (did you mean it by \"step\"?)"},
        FaultyObservation{R"({"started":{}},)", "",
                          "steps: has 4 entries for a script of 5 actions"},
        FaultyObservation{R"({"started":{}})", R"({})", "steps[3].started: is missing; add it"},
        FaultyObservation{R"({"started":{}})", R"({"started":[]})",
                          "steps[3].started: must be an object, not an array"},
        FaultyObservation{R"({"started":{}})", R"({"started":{},"ended":{}})",
                          "steps[3].ended: is no field here; there are started, shared_config"},
        FaultyObservation{R"("k2":{"block")", R"("k9":{"block")",
                          "steps[0].started.k9: the probe has no such kernel"},
        FaultyObservation{R"("k2":{"block")", R"("k3":{"block")",
                          "steps[0].started.k3.block[1]: 1 is too large; at most 0"},
        FaultyObservation{
            R"("k2":{"block":[0,1,2,3],"sm":[0,2,1,3],"warp_slot":[[0,1],[0,1],[0,1],[4,5]],"start_ns":[100,132,164,196]})",
            R"("k3":{"block":[0],"sm":[0]})", "steps[0].started.k3: starts before its launch"},
        FaultyObservation{"[0,1,2,3]", "[0,1,2,4]",
                          "steps[0].started.k2.block[3]: 4 is too large; at most 3"},
        FaultyObservation{"[0,1,2,3]", "[0,1,3,2]",
                          "steps[0].started.k2.block[3]: blocks must be in ascending order"},
        FaultyObservation{"[0,1,2,3]", "[0,1,1,3]",
                          "steps[0].started.k2.block[2]: block 1 starts a second time"},
        FaultyObservation{R"("block":[1])", R"("block":[0])",
                          "steps[2].started.k1.block[0]: block 0 starts a second time"},
        FaultyObservation{"[0,2,1,3]", "[0,2,1]",
                          "steps[0].started.k2.sm: has 3 entries for 4 blocks"},
        FaultyObservation{"[0,2,1,3]", "[0,2,1,4]",
                          "steps[0].started.k2.sm[3]: 4 is too large; at most 3"},
        FaultyObservation{"[0,2,1,3]", "[0,2,1,-1]",
                          "steps[0].started.k2.sm[3]: -1 is too small; at least 0"},
        FaultyObservation{"[[0,1],[0,1],[0,1],[4,5]]", "[[0,1],[0,1],[0,1]]",
                          "steps[0].started.k2.warp_slot: has 3 entries for 4 blocks"},
        FaultyObservation{"[4,5]", "[4]",
                          "steps[0].started.k2.warp_slot[3]: has 1 entries for a block of 2 warps"},
        FaultyObservation{"[4,5]", "[4,-5]",
                          "steps[0].started.k2.warp_slot[3][1]: -5 is too small; at least 0"},
        FaultyObservation{"[100,132,164,196]", "[]",
                          "steps[0].started.k2.start_ns: has 0 entries for 4 blocks"},
        FaultyObservation{"[100,132,164,196]", "[100,132,164,1.5]",
                          "steps[0].started.k2.start_ns[3]: must be an integer, not 1.5"},
        FaultyObservation{R"("shared_config":{"k2":8192})", R"("shared_config":{"k1":8192})",
                          "steps[0].shared_config.k1: this step does not launch it"},
        FaultyObservation{R"("shared_config":{"k2":8192})", R"("shared_config":8192)",
                          "steps[0].shared_config: must be an object, not 8192"},
        FaultyObservation{"8192", "-1", "steps[0].shared_config.k2: -1 is too small; at least 0"}));

}  // namespace
}  // namespace cuvier
