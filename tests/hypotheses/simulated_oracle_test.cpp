#include "hypotheses/simulated_oracle.h"

#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;

Probe one_block() { return {"one", {{"k", 1, 32, 32, 0, 0, 0, std::nullopt}}, {{0, {}}}}; }

TEST(SimulatedOracle, ShowsOnlyWhereBlocksGo) {
  SimulatedOracle oracle("sim:four", samples::device(), {});
  const auto answers = oracle.run(samples::probe(), 1);
  ASSERT_EQ(answers.size(), 1U);
  for (const Step& step : answers[0].observation.value().steps) {
    EXPECT_TRUE(step.shared_config.empty());
    for (const Started& started : step.started) EXPECT_TRUE(started.warp_slot.empty());
  }
  for (const Fact& fact : answers[0].facts) {
    EXPECT_TRUE(fact.kind == Fact::Kind::sm || fact.kind == Fact::Kind::started);
    EXPECT_TRUE(agrees(fact, *answers[0].observation, samples::probe()));
  }
  EXPECT_TRUE(oracle.channels().empty());
  EXPECT_EQ(oracle.description(), "sim:four");
}

TEST(SimulatedOracle, IsOneSession) {
  SimulatedOracle oracle("sim", samples::device(),
                         hypothesis_from_text("round-robin,tie_break=linear,cursor_reset=never"));
  std::vector<int> sms;
  for (const Answer& answer : oracle.run(one_block(), 3)) {
    sms.push_back(answer.facts.at(0).values.at(0));
  }
  EXPECT_THAT(sms, ElementsAre(0, 1, 2));
  EXPECT_EQ(oracle.run(one_block(), 1)[0].facts.at(0).values.at(0), 3);
  EXPECT_EQ(oracle.session(), 0);
}

TEST(SimulatedOracle, RefusesWhatTheDeviceCannotRun) {
  SimulatedOracle oracle("sim", samples::device(), {});
  Probe probe = one_block();
  probe.kernels[0].threads = 2048;
  try {
    oracle.run(probe, 1);
    FAIL() << "it answers";
  } catch (const OracleRefusal& refusal) {
    EXPECT_EQ(refusal.code(), "invalid_probe");
  }
}

}  // namespace
}  // namespace cuvier
