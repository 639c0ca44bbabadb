#include "probes/gpu/session.h"

#include <gmock/gmock.h>

#include <sstream>

#include "probes/gpu/settling.h"
#include "probes/json_fields.h"
#include "tests/runner/simulated_device.h"
#include "tests/samples.h"

namespace cuvier::gpu {
namespace {

using Fault = Manners::Fault;
using ::testing::HasSubstr;

const char* const hello = R"({"type":"hello","protocol":1})";
const char* const bye = R"({"type":"bye"})";

std::string run(const std::string& channels = R"("sm")", int repeat = 1,
                const std::string& probe = samples::probe_text) {
  return R"({"type":"run","id":7,"repeat":)" + std::to_string(repeat) + R"(,"channels":[)" +
         channels + R"(],"probe":)" + probe + "}";
}

struct Talk {
  std::vector<Json> answers;
  int exit_code = -1;
};

Talk talk(const std::vector<std::string>& lines, Manners manners = {}) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  std::istringstream in(text);
  std::ostringstream out;
  Talk talk;
  talk.exit_code = serve(in, out, [&] {
    return std::make_unique<SimulatedDevice>(samples::device(), Hypothesis{}, manners);
  });
  std::istringstream answers(out.str());
  for (std::string line; std::getline(answers, line);) talk.answers.push_back(Json::parse(line));
  return talk;
}

TEST(Session, SaysWhatTheDeviceIsAndHowLongItSettles) {
  const Talk answered = talk({hello, bye});
  ASSERT_EQ(answered.answers.size(), 1U);
  const Json& device = answered.answers[0];
  EXPECT_EQ(device["type"], "device");
  EXPECT_EQ(device["protocol"], 1);
  EXPECT_EQ(device["oracle"]["name"], "cuvier-gpu");
  EXPECT_EQ(device["channels"], Json({"sm", "warp_slot", "start_ns", "shared_config"}));
  EXPECT_EQ(device_from_json(device["device"], "test"), samples::device());
  EXPECT_GE(device["settle_us"].get<int>(), 8 * device["largest_gap_us"].get<int>());
  EXPECT_GE(device["largest_gap_us"].get<int>(), 40);
  EXPECT_EQ(answered.exit_code, exit_done);
}

TEST(Session, AnswersWithTheChannelsThatWereAskedFor) {
  const Talk answered = talk(
      {hello, run(), run(R"("sm","warp_slot")"), run(R"("sm","start_ns","shared_config")"), bye});
  ASSERT_EQ(answered.answers.size(), 4U);
  const auto first_step = [&](int answer) {
    return answered.answers[answer]["runs"][0]["steps"][0];
  };
  for (int i = 1; i < 4; ++i) {
    EXPECT_EQ(answered.answers[i]["type"], "observation");
    EXPECT_EQ(answered.answers[i]["id"], 7);
    EXPECT_EQ(first_step(i)["started"]["k2"]["warp_slot"].is_null(), i != 2);
    EXPECT_EQ(first_step(i)["started"]["k2"]["start_ns"].is_null(), i != 3);
    EXPECT_EQ(first_step(i)["shared_config"].is_null(), i != 3);
  }
}

TEST(Session, RepeatsAndItsAnswersAreObservations) {
  const Talk answered = talk({hello, run(R"("sm","warp_slot","start_ns")", 3), bye});
  const Json& runs = answered.answers.at(1)["runs"];
  ASSERT_EQ(runs.size(), 3U);
  for (const Json& one : runs) {
    const Observation seen =
        observation_from_json(one, samples::probe(), samples::device(), "test");
    EXPECT_EQ(seen.steps.size(), samples::probe().script.size());
  }
}

TEST(Session, RefusesWhatItCannotRunAndGoesOn) {
  const std::string too_many =
      samples::with(samples::probe_text, R"("threads":64)", R"("threads":4096)");
  const Talk answered = talk({hello, "no json", R"({"type":"dance","id":7})",
                              run(R"("sm")", 1, too_many), run(R"("sm")", 1, "{}"), run(), bye});
  ASSERT_EQ(answered.answers.size(), 6U);
  for (int i = 1; i < 5; ++i) {
    EXPECT_EQ(answered.answers[i]["type"], "error") << i;
    EXPECT_EQ(answered.answers[i]["code"], "invalid_probe") << i;
  }
  EXPECT_THAT(answered.answers[3]["message"].get<std::string>(), HasSubstr("threads"));
  EXPECT_EQ(answered.answers[3]["id"], 7);
  EXPECT_EQ(answered.answers[5]["type"], "observation");
}

TEST(Session, SaysWhatItDoesNotSupport) {
  EXPECT_EQ(talk({R"({"type":"hello","protocol":2})"}).answers.at(0)["code"], "unsupported");
  EXPECT_EQ(talk({run()}).answers.at(0)["code"], "internal");
  Manners manners;
  manners.fault = Fault::refuses_launch;
  manners.fault_at = 100;  // after the grids that measure the settle time
  const Talk answered = talk({hello, run(R"("sm")", 100), bye}, manners);
  EXPECT_EQ(answered.answers.at(1)["code"], "unsupported");
}

TEST(Session, EndsWithTheDevice) {
  Manners manners;
  manners.fault = Fault::lost_at_launch;
  manners.fault_at = 20;
  const Talk answered = talk({hello, run(), run(), run(), run(), run(), run()}, manners);
  EXPECT_EQ(answered.answers.back()["code"], "device_lost");
  EXPECT_EQ(answered.answers.back()["id"], 7);
  EXPECT_LT(answered.answers.size(), 7U);
  EXPECT_EQ(answered.exit_code, exit_lost);
}

TEST(Session, SaysThatThereIsNoDevice) {
  std::istringstream in(std::string(hello) + "\n");
  std::ostringstream out;
  const int code = serve(in, out, []() -> std::unique_ptr<RunnerDevice> {
    throw Failure(FailureCode::device_lost, "no GPU");
  });
  EXPECT_EQ(Json::parse(out.str())["message"], "no GPU");
  EXPECT_EQ(code, exit_lost);
}

TEST(Settling, GrowsWithTheDelaysOfTheMachine) {
  Manners slow;
  slow.launch_to_start = microseconds{3000};
  SimulatedDevice quick(samples::device(), {});
  SimulatedDevice tardy(samples::device(), {}, slow);
  EXPECT_LT(measure_settling(quick).quiet, measure_settling(tardy).quiet);
  EXPECT_GE(measure_settling(tardy).quiet, 8 * slow.launch_to_start);
}

}  // namespace
}  // namespace cuvier::gpu
