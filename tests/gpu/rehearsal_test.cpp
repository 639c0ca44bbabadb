#include "tests/gpu/rehearsal.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "probes/exact_steps.h"
#include "probes/family.h"
#include "probes/oracles/external.h"

namespace cuvier {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;

TEST_F(Rehearsal, TestsItself) {
  std::set<std::string> passed;
  std::istringstream lines(run(command("h200", "--self-test")).text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("{")) continue;
    const auto json = ordered_json::parse(line);
    EXPECT_TRUE(json["ok"]) << line;
    passed.insert(json["test"]);
    if (json["test"] == "surroundings") {
      EXPECT_EQ(json["loading"], "eager");
      EXPECT_THAT(json["channels"], ElementsAre("warp_slot", "start_ns"));
    }
  }
  EXPECT_THAT(passed,
              ElementsAre("alone", "carve_out", "clock", "kernels", "launches", "occupancy",
                          "one_block_per_sm", "repeatability", "resident_kernels", "round_trips",
                          "settling", "streams", "surroundings", "waiting", "warp_slots"));
}

TEST_F(Rehearsal, FindsGpcsAndTpcsByClusters) {
  std::string text = run(command("h200", "--topology")).text;
  const auto json = ordered_json::parse(text.substr(text.find('{')));
  const Device device = device_from_json(json["device"], "--topology");
  ASSERT_EQ(device.gpc_of_sm.size(), 132U);
  for (int sm = 0; sm < device.sms; ++sm) {
    EXPECT_EQ(device.gpc_of_sm[sm], sm / 2 % 8);
    EXPECT_EQ(device.tpc_of_sm[sm], sm / 2);
  }
}

TEST_F(Rehearsal, FindsTpcsByCarveOutWhereThereAreNoClusters) {
  std::string text = run(command("rtx3090", "--topology")).text;
  const auto json = ordered_json::parse(text.substr(text.find('{')));
  const Device device = device_from_json(json["device"], "--topology");
  EXPECT_TRUE(device.gpc_of_sm.empty());
  ASSERT_EQ(device.tpc_of_sm.size(), 82U);
  for (int sm = 0; sm < device.sms; ++sm) EXPECT_EQ(device.tpc_of_sm[sm], sm / 2);
}

TEST_F(Rehearsal, AnswersAsThePredictionDoes) {
  ExternalOracle oracle(command("rtx3090", "--no-topology"));
  const Device device = find_device("rtx3090");
  EXPECT_EQ(oracle.device(), device);
  // The runner has grown local memory beforehand.
  const Hypothesis grown = hypothesis_from_text("local_memory=ignored");
  Simulator simulator(device, grown);
  const std::vector<std::string> channels = {"warp_slot"};
  Rng rng(5);
  for (const ProbeFamily& family : probe_families(device)) {
    for (int i = 0; i < 3; ++i) {
      const Probe probe = family.draw(device, rng);
      const std::vector<Answer> answers = oracle.run(probe, 2);
      const Observation predicted = seen_through(channels, simulator.run(probe));
      ASSERT_EQ(answers.size(), leaves_unknown(predicted, probe) ? 1U : 2U);
      for (const Answer& answer : answers) {
        EXPECT_EQ(by_subpartition(seen_through(channels, *answer.observation)), predicted)
            << to_json(probe);
      }
    }
  }
}

TEST_F(Rehearsal, LaunchesClustersOnGpcsThatItFound) {
  ExternalOracle oracle(command("h200"));
  const Device device = oracle.device();
  ASSERT_EQ(device.largest_cluster(), 16);
  Simulator simulator(device, hypothesis_from_text("local_memory=ignored"));
  const auto families = probe_families(device);
  const ProbeFamily& clusters = *std::ranges::find_if(families, &ProbeFamily::needs_clusters);
  Rng rng(5);
  for (int i = 0; i < 10; ++i) {
    const Probe probe = clusters.draw(device, rng);
    const Observation predicted = seen_through({}, simulator.run(probe));
    Observation seen = seen_through({}, *oracle.run(probe, 1).front().observation);
    const int exact = exact_steps(predicted, probe);
    EXPECT_TRUE(
        std::equal(predicted.steps.begin(), predicted.steps.begin() + exact, seen.steps.begin()))
        << to_json(probe);
  }
}

/// A fake GPU drifts only while blocks spin, so it shows what the runner lets them do.
TEST_F(Rehearsal, LetsBlocksSleepOrSpin) {
  const std::string mechanism = "a100-as-recorded,local_memory=ignored";
  const std::string gpu = "a100 CUVIER_FAKE_MECHANISM=" + mechanism;
  Probe probe;
  probe.name = "large";
  probe.kernels = {samples::kernel("k", 864, 128)};
  probe.script = {{0, {}}};
  const auto seen = [&](const std::string& options) {
    ExternalOracle oracle(command(gpu, "--no-topology " + options));
    return oracle.run(probe, 3);
  };
  Simulator simulator(find_device("a100"), hypothesis_from_text(mechanism));
  const Observation undisturbed = seen_through({}, simulator.preview(probe));
  for (const Answer& answer : seen("")) {
    EXPECT_EQ(seen_through({}, *answer.observation), undisturbed);
  }
  std::set<std::string> outcomes;
  for (const Answer& answer : seen("--spin")) {
    const Observation spinning = seen_through({}, *answer.observation);
    EXPECT_EQ(spinning, seen_through({}, simulator.nearest(probe, answer.facts)));
    outcomes.insert(to_json(spinning, probe).dump());
  }
  EXPECT_EQ(outcomes.size(), 3U);
}

/// What it asks of the driver the fake one says.
TEST_F(Rehearsal, AsksForACarveOutAndAClusterPolicy) {
  const auto asked = [&](const std::string& options) {
    return run("echo '{\"type\":\"hello\",\"protocol\":1}' | " +
               command("h200", "--no-topology " + options))
        .text;
  };
  const std::string nothing = asked("");
  EXPECT_THAT(nothing, testing::Not(testing::HasSubstr("fake CUDA")));
  EXPECT_THAT(nothing, testing::HasSubstr("{\"type\":\"device\""));
  const std::string all = asked("--carve-out 50 --cluster-policy load-balancing");
  EXPECT_THAT(all, testing::HasSubstr("kernels prefer 50 % of shared memory"));
  EXPECT_THAT(all, testing::HasSubstr("clusters are scheduled by policy 2"));
  EXPECT_THAT(all, testing::HasSubstr("{\"type\":\"device\""));
  EXPECT_THAT(asked("--cluster-policy spread"),
              testing::HasSubstr("clusters are scheduled by policy 1"));
  EXPECT_THAT(asked("--carve-out 101"), testing::HasSubstr("from 0 to 100, not \"101\""));
  EXPECT_THAT(asked("--cluster-policy random"), testing::HasSubstr("spread or load-balancing"));
}

TEST_F(Rehearsal, LeavesAKernelWaitingThatTheDriverSitsOn) {
  ExternalOracle oracle(command("rtx3090", "--no-topology --local-as-is"));
  Probe probe;
  probe.name = "rehearsed";
  probe.kernels = {samples::kernel("small", 1, 32), samples::kernel("framed", 1, 32)};
  probe.kernels[1].local = 512;
  probe.script = {{0, {}}, {1, {}}, {{}, {{0, {}}}}};
  const Observation first = *oracle.run(probe, 1).front().observation;
  EXPECT_TRUE(first.steps[1].started.empty());
  ASSERT_EQ(first.steps[2].started.size(), 1U);
  EXPECT_EQ(first.steps[2].started[0].kernel, 1);
  // Now it is grown.
  EXPECT_EQ(oracle.run(probe, 1).front().observation->steps[1].started.size(), 1U);
}

/// What waited has run by the next probe, and grown local memory then.
TEST_F(Rehearsal, BeginsASessionAfterAProbeThatLeavesBlocksWaiting) {
  ExternalOracle oracle(command("rtx3090", "--no-topology --local-as-is"));
  Simulator simulator(find_device("rtx3090"), {});
  Probe probe;
  probe.name = "rehearsed";
  probe.kernels = {samples::kernel("small", 1, 32), samples::kernel("framed", 1, 32)};
  probe.kernels[1].local = 512;
  probe.script = {{0, {}}, {1, {}}};
  for (const std::size_t started : {0U, 1U}) {
    const Observation seen = *oracle.run(probe, 2).front().observation;
    simulator.begin_session(oracle.opening().get());
    EXPECT_EQ(seen.steps[1].started.size(), started);
    EXPECT_EQ(simulator.run(probe).steps[1].started.size(), started);
  }
}

/// What earlier kernels grew is what a later opening has to ask for.
TEST_F(Rehearsal, OpensWithTheLocalMemoryThatItHas) {
  const std::string hello = R"({"type":"hello","protocol":1})";
  const std::string grows =
      R"({"type":"run","id":1,"repeat":1,"channels":["sm"],"probe":{"name":"grows","kernels":)"
      R"({"k":{"blocks":1,"threads":32,"registers":32,"local":512}},"script":[{"launch":"k"}]}})";
  const Printed talk = run("printf '%s\\n' '" + hello + "' '" + grows + "' '" + hello + "' | " +
                           command("rtx3090", "--no-topology --local-as-is") + " 2>/dev/null");
  std::vector<int> local;
  std::istringstream lines(talk.text);
  for (std::string line; std::getline(lines, line);) {
    const auto answer = nlohmann::json::parse(line);
    if (answer["type"] == "device") {
      local.push_back(answer["opening"]["probe"]["kernels"]["k"].value("local", 0));
    }
  }
  EXPECT_THAT(local, testing::ElementsAre(0, 512)) << talk.text.substr(0, 500);
}

TEST_F(Rehearsal, IsStartedAgainWhenTheDeviceBreaks) {
  ExternalOracle oracle("env CUVIER_FAKE_BREAKS_AT=77 " + command("rtx3090", "--no-topology"));
  Probe probe;
  probe.name = "rehearsed";
  probe.kernels = {samples::kernel("k", 77, 32)};
  probe.script = {{0, {}}};
  try {
    oracle.run(probe, 1);
    ADD_FAILURE() << "a broken device answered";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("device_lost"));
    EXPECT_THAT(error.what(), testing::HasSubstr("cudaErrorIllegalAddress"));
  }
  probe.kernels[0].blocks = 78;
  EXPECT_EQ(oracle.run(probe, 1).front().observation->steps[0].started[0].sm.size(), 78U);
  EXPECT_EQ(oracle.session(), 1);
}

TEST_F(Rehearsal, SaysWhichDeviceIsNotThere) {
  const Printed printed = run(command("rtx3090", "--self-test --device 3"));
  EXPECT_EQ(printed.code, 2);
  EXPECT_THAT(printed.text, testing::HasSubstr("no GPU has the number 3"));
}

TEST_F(Rehearsal, RefusesTwoModesAndTimesThatAreNone) {
  const Printed two = run(command("rtx3090", "--self-test --topology"));
  EXPECT_EQ(two.code, 2);
  EXPECT_THAT(two.text, testing::HasSubstr("--topology: there is another mode already"));
  const Printed never = run("env CUVIER_GPU_WATCHDOG_S=0 " + command("rtx3090", "--topology"));
  EXPECT_EQ(never.code, 2);
  EXPECT_THAT(never.text, testing::HasSubstr("CUVIER_GPU_WATCHDOG_S takes a number of seconds"));
}

TEST_F(Rehearsal, RefusesToRunBesideAnother) {
  ExternalOracle first(command("rtx3090", "--no-topology"));
  const Printed second = run("env CUVIER_GPU_CLAIM_S=0 " + command("rtx3090", "--topology"));
  EXPECT_EQ(second.code, 8);
  EXPECT_THAT(second.text, testing::HasSubstr("another cuvier-gpu is at work on this GPU"));
}

/// Whatever it still had to do: its placing may have been killed.
TEST_F(Rehearsal, EndsWhenNobodyReadsItsAnswers) {
  folder_.write("requests",
                R"({"type":"hello","protocol":1})"
                "\n"
                R"({"type":"run","id":1,"repeat":100000,"probe":{"name":"busy","kernels":)"
                R"({"k":{"blocks":8,"threads":32,"registers":32}},"script":[{"launch":"k"}]}})");
  const Printed printed =
      run("{ " + command("rtx3090", "--no-topology") +
          " <requests; echo it ended with $? >&2; } 2>log | head -n 1 | cut -c 1-16; cat log");
  EXPECT_THAT(printed.text, testing::StartsWith("{\"type\":\"device\"\n"));
  EXPECT_THAT(printed.text, testing::HasSubstr("nobody reads the answers any more"));
  EXPECT_THAT(printed.text, testing::HasSubstr("it ended with 3"));
}

/// A runner that is started again is spared the search.
TEST_F(Rehearsal, KeepsTheGroupsOfSms) {
  const Device first = ExternalOracle(command("h200")).device();
  EXPECT_FALSE(first.gpc_of_sm.empty());
  const Printed again = run("echo '{\"type\":\"hello\",\"protocol\":1}' | " + command("h200"));
  EXPECT_THAT(again.text, testing::HasSubstr("as an earlier runner found them"));
  const std::size_t answer = again.text.find("{\"type\":\"device\"");
  ASSERT_NE(answer, std::string::npos) << again.text;
  const auto json =
      ordered_json::parse(again.text.substr(answer, again.text.find('\n', answer) - answer));
  EXPECT_EQ(device_from_json(json["device"], "hello"), first);
}

}  // namespace
}  // namespace cuvier
