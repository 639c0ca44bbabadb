#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/exact_steps.h"
#include "probes/family.h"
#include "probes/gpu/kernel_table.h"
#include "probes/oracles/external.h"
#include "tests/gpu/rehearsal.h"

// The runner before a device and a driver that are no kinder than real ones (tests/gpu/manners.h)
// or that fail.
namespace cuvier {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

class UnkindRehearsal : public Rehearsal {
 protected:
  /// Draws from every family; what the driver's rounding leaves a kernel for must be answered as
  /// predicted.
  static void expect_predictions(const Device& device, const std::string& command) {
    ExternalOracle oracle(command);
    ASSERT_EQ(oracle.device(), device);
    // The runner has grown local memory beforehand.
    Simulator simulator(device, hypothesis_from_text("local_memory=ignored"));
    const std::vector<std::string> channels = {"warp_slot"};
    Rng rng(5);
    int answered = 0;
    for (const ProbeFamily& family : probe_families(device)) {
      const Probe probe = family.draw(device, rng);
      std::vector<Answer> answers;
      try {
        answers = oracle.run(probe, 2);
      } catch (const OracleRefusal& refusal) {
        EXPECT_THAT(refusal.what(), HasSubstr("no kernel has exactly")) << to_json(probe);
        continue;
      }
      if (answers.front().exact == 0) continue;  // nobody knows how its session began
      ++answered;
      Observation predicted = seen_through(channels, simulator.run(probe));
      const int exact = exact_steps(predicted, probe);
      predicted.steps.resize(exact);
      for (const Answer& answer : answers) {
        EXPECT_EQ(answer.exact.value_or(probe.script.size()), exact);
        Observation seen = by_subpartition(seen_through(channels, *answer.observation));
        seen.steps.resize(exact);
        EXPECT_EQ(to_json(seen, probe)["steps"], to_json(predicted, probe)["steps"])
            << family.name << ": " << to_json(probe);
      }
    }
    EXPECT_GT(answered, std::ssize(probe_families(device)) / 2);
  }

  /// A device so small that the fake's own slowness, which settling would allow for, counts for
  /// nothing.
  static Device small_device() {
    Device device = find_device("rtx3090");
    device.name = "small";
    device.sms = 8;
    return device;
  }
};

TEST_F(UnkindRehearsal, AnswersAsThePredictionDoesHoweverUnkind) {
  const Device device = small_device();
  const std::string path = folder_.write("small.json", ordered_json(to_json(device)).dump());
  for (const int seed : {1, 4}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_predictions(device, "env CUVIER_FAKE_UNKIND=all,-bad_smid,-bad_slot CUVIER_FAKE_SEED=" +
                                   std::to_string(seed) + " " + command(path, "--no-topology"));
  }
}

/// What is first on an idle device, or beside others, and late: no kernel waits for nothing.
TEST_F(UnkindRehearsal, TakesNoLateStartForAKernelThatWaits) {
  const Device device = small_device();
  const std::string path = folder_.write("small.json", ordered_json(to_json(device)).dump());
  ExternalOracle oracle("env CUVIER_FAKE_UNKIND=late_first " + command(path, "--no-topology"));
  Simulator simulator(device, hypothesis_from_text("local_memory=ignored"));
  const auto families = probe_families(device);
  const ProbeFamily& random = *std::ranges::find(families, "paper_random", &ProbeFamily::name);
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Probe probe = random.draw(device, rng);
    Observation seen = seen_through({}, *oracle.run(probe, 1).front().observation);
    EXPECT_EQ(seen, seen_through({}, simulator.run(probe))) << to_json(probe);
  }
}

/// Streams share connections, and a kernel waits for what another stream of its own has before it.
TEST_F(UnkindRehearsal, LaunchesKernelsOfAProbeOnConnectionsOfTheirOwn) {
  const Device device = small_device();
  const std::string path = folder_.write("small.json", ordered_json(to_json(device)).dump());
  const std::string unkind =
      "env CUVIER_FAKE_UNKIND=shared_connections " + command(path, "--no-topology");
  Simulator simulator(device, hypothesis_from_text("local_memory=ignored"));
  // Behind one block another waits, and blocks on any other stream do not.
  Probe probe;
  probe.name = "streams";
  probe.kernels = {samples::kernel("alone", 1, 32), samples::kernel("first", 1, 32),
                   samples::kernel("behind", 1, 32)};
  probe.kernels[1].stream = probe.kernels[2].stream = "a";
  for (int k = 0; k < 12; ++k) {
    probe.kernels.push_back(samples::kernel("k" + std::to_string(k), 1, 32));
    probe.kernels.back().priority = -(k % 3);
  }
  for (int k = 0; k < std::ssize(probe.kernels); ++k) probe.script.push_back({k, {}});
  const Answer answer = ExternalOracle(unkind).run(probe, 1).front();
  EXPECT_EQ(seen_through({}, *answer.observation), seen_through({}, simulator.run(probe)));
  const Printed printed = run(unkind + " --self-test");
  EXPECT_THAT(printed.text, HasSubstr(R"("tried_for_connections":36,"connections":31)"));
}

/// A first launch that takes long would be taken for a driver that waits for the device.
TEST_F(UnkindRehearsal, HasLaunchedEveryKernelBefore) {
  std::string requests = R"({"type":"hello","protocol":1})"
                         "\n";
  const auto ask = [&](Kernel kernel) {
    const Probe probe{"first", {std::move(kernel)}, {{0, {}}}};
    requests += ordered_json{{"type", "run"}, {"id", 1}, {"probe", to_json(probe)}}.dump() + "\n";
  };
  for (const int registers : registers_with_local) {
    for (const int local : gpu::frame_bytes) {
      Kernel kernel = samples::kernel("framed", 1, 32);
      kernel.registers = registers;
      kernel.local = local;
      ask(kernel);
    }
  }
  for (int registers = kFewestRegisters; registers <= gpu::most_registers; ++registers) {
    Kernel kernel = samples::kernel("clustered", 2, 32);
    kernel.registers = registers;
    ask(kernel);
    kernel.cluster = 2;
    ask(kernel);
  }
  folder_.write("requests", requests);
  const std::string text =
      run("env CUVIER_FAKE_UNKIND=slow_kernel " + command("h200") + " <requests").text;
  const std::string said = "fake CUDA: first launch of a kernel";
  const std::size_t ready = text.find(R"({"type":"device")");
  ASSERT_NE(ready, std::string::npos) << text;
  EXPECT_THAT(text.substr(0, ready), HasSubstr(said));
  EXPECT_THAT(text.substr(ready), Not(HasSubstr(said)));
  EXPECT_THAT(text.substr(ready), Not(HasSubstr(R"("type":"error")")));
}

TEST_F(UnkindRehearsal, SaysWhereASessionDidNotOpen) {
  std::string requests;
  for (int i = 0; i < 30; ++i) requests += std::string(R"({"type":"hello","protocol":1})") + "\n";
  folder_.write("requests", requests);
  const Device device = small_device();
  const std::string gpu = folder_.write("small.json", ordered_json(to_json(device)).dump());
  const Printed printed = run("env CUVIER_FAKE_UNKIND=short_of_room " +
                              command(gpu, "--no-topology") + " 2>/dev/null <requests");
  std::map<int, int> sessions;  // by blocks that opened them
  std::istringstream lines(printed.text);
  for (std::string line; std::getline(lines, line);) {
    const auto answer = ordered_json::parse(line);
    ASSERT_EQ(answer["type"], "device") << line;
    const auto& opening = answer["opening"];
    ++sessions[opening.is_null() ? 0 : opening["probe"]["kernels"]["k"]["blocks"].get<int>()];
  }
  const int most = device.sms * device.max_blocks_per_sm;
  EXPECT_GT(sessions[most], 0);
  EXPECT_GT(sessions[most - 1], 0);
  EXPECT_GT(sessions[0], 0);
}

TEST_F(UnkindRehearsal, SaysThatMpsIsOn) {
  const Printed printed = run("env CUVIER_FAKE_UNKIND=mps " + command("rtx3090", "--self-test"));
  EXPECT_EQ(printed.code, 1);
  EXPECT_THAT(printed.text, HasSubstr("cuvier-gpu: MPS is on"));
  EXPECT_THAT(printed.text, HasSubstr(R"("mps":true)"));
}

TEST_F(UnkindRehearsal, FindsTpcsByClustersThatRunAtOnce) {
  std::string text =
      run("env CUVIER_FAKE_UNKIND=cluster_waves,forgets_clusters " + command("h200", "--topology"))
          .text;
  const auto json = ordered_json::parse(text.substr(text.find('{')));
  const Device device = device_from_json(json["device"], "--topology");
  ASSERT_EQ(device.tpc_of_sm.size(), 132U);
  for (int sm = 0; sm < device.sms; ++sm) {
    EXPECT_EQ(device.gpc_of_sm[sm], sm / 2 % 8);
    EXPECT_EQ(device.tpc_of_sm[sm], sm / 2);
  }
  const auto evidence = json["tpc_evidence"].get<std::string>();
  EXPECT_THAT(evidence, HasSubstr("a cluster of two always has the same two SMs"));
  EXPECT_THAT(evidence, HasSubstr("carve-out conflicts show the same pairs"));
  EXPECT_THAT(json["gpc_evidence"].get<std::string>(), Not(HasSubstr("but the driver")));
}

/// Clusters of the fake have neighbours for mates; here others share a carve-out.
TEST_F(UnkindRehearsal, BelievesNoTpcsThatShareNoCarveOut) {
  Device device = find_device("h200");
  device.gpc_of_sm.clear();
  device.tpc_of_sm.clear();
  for (int sm = 0; sm < device.sms; ++sm) device.tpc_of_sm.push_back(sm / 4 * 2 + sm % 2);
  const std::string path = folder_.write("crossed.json", ordered_json(to_json(device)).dump());
  std::string text = run(command(path, "--topology")).text;
  const auto json = ordered_json::parse(text.substr(text.find('{')));
  EXPECT_TRUE(device_from_json(json["device"], "--topology").tpc_of_sm.empty());
  EXPECT_THAT(json["tpc_evidence"].get<std::string>(),
              HasSubstr("but carve-out conflicts show other pairs"));
}

int largest_number_in(const std::string& text) {
  static const std::regex number("[0-9]+");
  int largest = -1;
  for (std::sregex_iterator found(text.begin(), text.end(), number), end; found != end; ++found) {
    largest = std::max(largest, std::stoi(found->str()));
  }
  return largest;
}

TEST_F(UnkindRehearsal, RefusesAnObservationWithAnSmThatThereIsNot) {
  constexpr int sms = 82;
  std::string requests = R"({"type":"hello","protocol":1})"
                         "\n";
  for (int blocks = 2; blocks < 50; ++blocks) {
    Probe probe;
    probe.name = "rehearsed";
    probe.kernels = {samples::kernel("k", blocks, 32)};
    probe.script = {{0, {}}};
    requests +=
        ordered_json{{"type", "run"}, {"id", blocks}, {"probe", to_json(probe)}}.dump() + "\n";
  }
  folder_.write("requests", requests + R"({"type":"bye"})");
  const Printed printed =
      run("env CUVIER_FAKE_UNKIND=bad_smid " + command("rtx3090", "--no-topology") + " <requests");
  EXPECT_EQ(printed.code, 0) << printed.text;
  int observed = 0;
  int refused = 0;
  std::istringstream lines(printed.text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("{")) continue;
    const auto answer = ordered_json::parse(line);
    if (answer["type"] == "observation") {
      ++observed;
      for (const auto& sm : answer["runs"][0]["steps"][0]["started"]["k"]["sm"]) {
        EXPECT_LT(sm.get<int>(), sms) << line;
      }
    } else if (answer["type"] == "error") {
      ++refused;
      EXPECT_EQ(answer["code"], "unsupported") << line;
      // Nothing else that it might name is as large as an SM that there is not.
      const auto message = answer["message"].get<std::string>();
      EXPECT_GE(largest_number_in(message), sms) << line;
    }
  }
  EXPECT_EQ(observed + refused, 48);
  EXPECT_GT(observed, 0);
  EXPECT_GT(refused, 0);
}

TEST_F(UnkindRehearsal, SaysWhyTheDeviceCannotBeHad) {
  const std::map<std::string, int> codes = {
      {"no_device", 4},     {"driver_too_old", 5},       {"system_not_ready", 6},
      {"no_permission", 7}, {"permission_withdrawn", 7}, {"device_unavailable", 8}};
  std::map<std::string, int> code_of_text;
  for (const auto& [error, code] : codes) {
    const Printed printed =
        run("env CUVIER_FAKE_ERROR=" + error + " " + command("rtx3090", "--self-test"));
    EXPECT_EQ(printed.code, code) << error << ": " << printed.text;
    const auto [said, is_new] = code_of_text.emplace(printed.text, code);
    EXPECT_EQ(said->second, code) << error << " is told like another error: " << printed.text;
  }
}

/// Without a watchdog the command would not end: `timeout` ends it with 124.
TEST_F(UnkindRehearsal, IsEndedByItsWatchdogWhereverCudaHangs) {
  for (const std::string hangs : {"stream_query", "stream_create", "launch", "device_synchronize",
                                  "func_attributes", "func_set_attribute", "clusters"}) {
    const bool by_clusters = hangs == "clusters";
    const Printed printed =
        run("timeout 20 env CUVIER_GPU_WATCHDOG_S=1 CUVIER_FAKE_HANGS=" + hangs + " " +
            command(by_clusters ? "h200" : "rtx3090", by_clusters ? "--topology" : "--self-test"));
    const std::size_t hung = printed.text.find("fake CUDA: " + hangs + " hangs\n");
    if (hung == std::string::npos) {
      // Only where CUPTI records what ran must the runner wait for the whole device.
      EXPECT_EQ(hangs, "device_synchronize") << printed.text;
      continue;
    }
    EXPECT_EQ(printed.code, 9) << printed.text;
    EXPECT_THAT(printed.text.substr(hung), HasSubstr("cuvier-gpu: "));
  }
}

}  // namespace
}  // namespace cuvier
