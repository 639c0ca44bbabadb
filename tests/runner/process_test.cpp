#include <gtest/gtest.h>

#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "probes/exact_steps.h"
#include "probes/family.h"
#include "probes/oracles/external.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// The runner as a process, from cuvier's side.
TEST(RunnerProcess, AnswersAsThePredictionDoes) {
  ExternalOracle oracle(std::string(CUVIER_STAND_IN) + " rtx3090");
  EXPECT_EQ(oracle.device(), find_device("rtx3090"));
  Simulator simulator(oracle.device(), {});
  Rng rng(3);
  for (const ProbeFamily& family : probe_families(oracle.device())) {
    const Probe probe = family.draw(oracle.device(), rng);
    const std::vector<Answer> answers = oracle.run(probe, 2);
    ASSERT_EQ(answers.size(), leaves_unknown(*answers.front().observation, probe) ? 1U : 2U);
    for (const Answer& answer : answers) {
      Observation seen = *answer.observation;
      for (Step& step : seen.steps) {
        for (Started& started : step.started) started.start_ns.clear();
      }
      EXPECT_EQ(seen, simulator.run(probe)) << family.name;
    }
  }
}

TEST(RunnerProcess, IsStartedAgainWhenTheDeviceWasLost) {
  const samples::Folder folder;
  ExternalOracle oracle(std::string(CUVIER_STAND_IN) + " rtx3090 " + folder.path("mark") + " 30");
  Rng rng(3);
  const Probe probe = probe_families(oracle.device()).front().draw(oracle.device(), rng);
  int failures = 0;
  for (int i = 0; i < 40; ++i) {
    try {
      oracle.run(probe, 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::oracle);
      EXPECT_NE(std::string(error.what()).find("device_lost"), std::string::npos);
      ++failures;
    }
  }
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(oracle.session(), 1);
}

}  // namespace
}  // namespace cuvier
