#include "reports/inference/inference_folder.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "hypotheses/axes.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/error.h"
#include "probes/json_fields.h"
#include "reports/certificate/verification.h"
#include "reports/inference/inference_report.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// As a program that links the library runs one; what it leaves is what `verify` checks.
TEST(InferenceFolder, KeepsWhatVerifyChecks) {
  const samples::Folder files;
  const std::string path = files.path("findings");
  const Device device = samples::device();
  Hypothesis planted;
  planted.set<PointerSkip>(PointerSkip::none);
  SimulatedOracle oracle("planted", device, planted);
  Assumptions assumptions = Assumptions::all(device);
  for (std::uint32_t& values : assumptions.allowed) values = 1;
  assumptions.allowed[*find_axis("pointer_skip")] = 1 | 1 << PointerSkip::none;
  int steps = 0;
  {
    InferenceFolder folder(path, oracle, assumptions);
    EXPECT_EQ(folder.answers(), 0);
    InferenceListener listener;
    listener.step = [&](const InferenceStep&) { ++steps; };
    InferenceOptions options;
    options.max_probes = 4;
    const Finding finding = folder.infer(oracle, options, listener);
    EXPECT_EQ(finding.probes, steps);
    folder.keep(finding, {});
  }
  const Verification verification = verify_certificate(path, {}, {});
  EXPECT_THAT(verification.faults, ::testing::IsEmpty());
  EXPECT_EQ(verification.recordings, steps);
  EXPECT_EQ(read_decisions(path + "/decisions.json").steps.size(), steps);

  // It goes on from there; ended early, it leaves no certificate of less than the journal.
  InferenceFolder again(path, oracle, assumptions);
  EXPECT_EQ(again.answers(), steps);
  const Finding more = again.infer(oracle, {}, {});
  EXPECT_GT(more.probes, steps);
  try {  // as where it was killed before it concluded
    verify_certificate(path, {}, {});
    ADD_FAILURE() << "the journal goes on";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("not finished: the journal goes on behind model.json"));
  }
  const Task over([](const std::string&) { return "over"; });
  EXPECT_THROW(again.keep(more, over), Stopped);
  EXPECT_FALSE(std::filesystem::exists(path + "/certificate"));
}

/// Where a formula was found then, it is new to this process. What is no decisions.json any more is
/// written anew: nothing rests on it.
TEST(InferenceFolder, GoesOnWithTheDecisionsOfAnotherProcess) {
  const samples::Folder files;
  const std::string path = files.path("findings");
  SimulatedOracle oracle("planted", samples::device(), {});
  Assumptions assumptions = Assumptions::all(oracle.device());
  for (std::uint32_t& values : assumptions.allowed) values = 1;
  assumptions.allowed[*find_axis("pointer_skip")] = 1 | 1 << PointerSkip::none;
  InferenceOptions options;
  options.max_probes = 2;
  {
    InferenceFolder folder(path, oracle, assumptions);
    folder.keep(folder.infer(oracle, options, {}), {});
  }
  Json decisions = parse_json(files.read("findings/decisions.json"), "decisions.json");
  ASSERT_NE(decisions["steps"][0]["why"], "so that it is known");
  decisions["steps"][0]["why"] = "so that it is known";
  decisions["considered"]["pointer_skip"].push_back("next + (w >= 9 ? 1 : 0)");
  files.write("findings/decisions.json", decisions.dump());
  InferenceFolder folder(path, oracle, assumptions);
  const Finding finding = folder.infer(oracle, options, {});
  for (const bool is_whole : {true, false}) {
    if (!is_whole) files.write("findings/decisions.json", "{");
    folder.keep(finding, {});
    EXPECT_EQ(read_decisions(path + "/decisions.json").steps.front().why, "so that it is known");
    EXPECT_TRUE(std::filesystem::exists(path + "/certificate/index.json"));
  }
}

TEST(InferencePage, OfARefutationSaysWhatComesNearestAndWhatToDo) {
  const samples::Folder files;
  const std::string path = files.path("findings");
  Hypothesis planted;
  planted.set<Selection>(Selection::first_fit);
  SimulatedOracle oracle("planted", samples::device(), planted);
  Assumptions assumptions = Assumptions::all(oracle.device());
  for (std::uint32_t& values : assumptions.allowed) values = 1;
  InferenceFolder folder(path, oracle, assumptions);
  folder.keep(folder.infer(oracle, {}, {}), {});
  EXPECT_THAT(plain(inference_page(read_inference(path, {})).verdict),
              AllOf(StartsWith("refuted: nothing is left of 1 hypothesis\n"),
                    HasSubstr("\nNearest comes algorithm-1. "), HasSubstr(" wrong"),
                    HasSubstr("cuvier invent")));
}

/// Confirmation asks one question several times where something drifts, and may ask one again right
/// after it was asked (seed 18): each counts as a probe.
TEST(InferenceFolder, CountsAsManyProbesAsVerify) {
  Device device = find_device("t4");
  device.sms = 4;
  device.gpc_of_sm.clear();
  Hypothesis drifting;
  drifting.set<DispatchBatch>(DispatchBatch::pair);
  drifting.set<PairsInFlight>(PairsInFlight::drifting);
  for (const Hypothesis& planted : {Hypothesis(), drifting}) {
    const samples::Folder files;
    SimulatedOracle oracle("four SMs", device, planted);
    Assumptions assumptions = Assumptions::all(device);
    for (int axis = 0; axis < kAxes; ++axis) assumptions.allowed[axis] = 1U << planted.values[axis];
    InferenceFolder folder(files.path("findings"), oracle, assumptions);
    InferenceOptions options;
    options.seed = 18;
    folder.keep(folder.infer(oracle, options, {}), {});
    const Verification verification = verify_certificate(folder.path(), {}, {});
    EXPECT_THAT(verification.faults, ::testing::IsEmpty()) << describe(planted);
  }
}

}  // namespace
}  // namespace cuvier
