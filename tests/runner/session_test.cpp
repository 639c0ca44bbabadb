#include "probes/gpu/session.h"

#include <gmock/gmock.h>

#include <sstream>

#include "probes/json_fields.h"
#include "tests/runner/simulated_device.h"
#include "tests/samples.h"

namespace cuvier::gpu {
namespace {

using Fault = Manners::Fault;
using ::testing::HasSubstr;

const char* const hello = R"({"type":"hello","protocol":1})";
const char* const bye = R"({"type":"bye"})";

/// After it nothing waits, and it can be repeated.
const std::string one_launch =
    R"({"name":"one","kernels":{"a":{"blocks":4,"threads":1024,"registers":32}},)"
    R"("script":[{"launch":"a"}]})";

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
    auto device = std::make_unique<SimulatedDevice>(samples::device(), Hypothesis{}, manners);
    const RoundTrips trips = measure_round_trips(*device, device->facts().sms, 10);
    return ReadyDevice{std::move(device), trips};
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
  EXPECT_GE(device["settle_us"].get<int>(), 8 * device["start_us"]["p99"].get<int>());
  EXPECT_GE(device["start_us"]["p50"].get<int>(), 40);
  EXPECT_EQ(answered.exit_code, exit_done);
}

TEST(Session, BeginsWithAFullDeviceAndSaysWhereItsBlocksWent) {
  const Json opening = talk({hello, bye}).answers.at(0)["opening"];
  const Device device = samples::device();
  const Probe probe = probe_from_json(opening["probe"], "test", "probe");
  EXPECT_EQ(probe.kernels.at(0).blocks, device.sms * device.max_blocks_per_sm);
  const Observation seen =
      observation_from_json(opening["observation"], probe, device, "test", "observation");
  EXPECT_EQ(std::ssize(seen.steps.at(0).started.at(0).sm), probe.kernels[0].blocks);
  EXPECT_EQ(seen.steps[0].started[0].warp_slot.size(), seen.steps[0].started[0].sm.size());
}

/// Holds less than it says that it does.
class Promises : public SimulatedDevice {
 public:
  Promises(const Device& device, Device promised)
      : SimulatedDevice(device, {}), promised_(std::move(promised)) {}
  const Device& facts() const override { return promised_; }

 private:
  Device promised_;
};

std::vector<Json> talk_to(const Device& promised) {
  std::istringstream in(std::string(hello) + "\n" + run(R"("sm")", 2, one_launch) + "\n");
  std::ostringstream out;
  serve(in, out, [&] {
    return ReadyDevice{std::make_unique<Promises>(samples::device(), promised), {}};
  });
  std::istringstream lines(out.str());
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  return answers;
}

TEST(Session, BeginsWithAsManyBlocksAsThereIsRoomFor) {
  Device promised = samples::device();
  promised.max_blocks_per_sm += 1;
  const Json opening = talk_to(promised).at(0)["opening"];
  const Device device = samples::device();
  EXPECT_EQ(opening["probe"]["kernels"]["k"]["blocks"], device.sms * device.max_blocks_per_sm);
}

/// Where nothing reaches an SM, nobody knows in which state that is.
TEST(Session, GoesOnWithoutAnOpeningAndSaysSo) {
  Device promised = samples::device();
  promised.sms += 1;
  const std::vector<Json> answers = talk_to(promised);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0]["type"], "device");
  EXPECT_TRUE(answers[0].contains("opening"));
  EXPECT_TRUE(answers[0]["opening"].is_null());
  EXPECT_EQ(answers[1]["type"], "observation");
  EXPECT_EQ(answers[1]["runs"].size(), 2U);
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

/// Blocks that wait at its end, or several that leave while others wait (as of the sample): what
/// that leaves behind nobody knows.
TEST(Session, RepeatsNothingThatLeavesHiddenStateUnknown) {
  const std::string full = samples::with(one_launch, R"("blocks":4)", R"("blocks":64)");
  const Talk answered =
      talk({hello, run(R"("sm")", 3, full), run(R"("sm")", 3), run(R"("sm")", 3, one_launch), bye});
  ASSERT_EQ(answered.answers.size(), 4U);
  EXPECT_EQ(answered.answers[1]["runs"].size(), 1U);
  EXPECT_EQ(answered.answers[2]["runs"].size(), 1U);
  EXPECT_EQ(answered.answers[3]["runs"].size(), 3U);
}

TEST(Session, AnswersWithObservations) {
  const Talk answered = talk({hello, run(R"("sm","warp_slot","start_ns")", 3), bye});
  const Observation seen = observation_from_json(answered.answers.at(1)["runs"].at(0),
                                                 samples::probe(), samples::device(), "test");
  EXPECT_EQ(seen.steps.size(), samples::probe().script.size());
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
  EXPECT_FALSE(answered.answers[3].contains("ran"));
  EXPECT_EQ(answered.answers[5]["type"], "observation");
}

TEST(Session, SaysWhatItDoesNotSupport) {
  EXPECT_EQ(talk({R"({"type":"hello","protocol":2})"}).answers.at(0)["code"], "unsupported");
  EXPECT_EQ(talk({run()}).answers.at(0)["code"], "internal");
  Manners manners;
  manners.fault = Fault::refuses_launch;
  manners.fault_at = 50;  // after the grids that measure the settle time, and the opening
  const Talk answered = talk({hello, run(R"("sm")", 100, one_launch), bye}, manners);
  EXPECT_EQ(answered.answers.at(1)["code"], "unsupported");
  EXPECT_EQ(answered.answers.at(1)["ran"], true);
}

TEST(Session, EndsWithTheDevice) {
  Manners manners;
  manners.fault = Fault::lost_at_launch;
  manners.fault_at = 30;
  const Talk answered = talk({hello, run(), run(), run(), run(), run(), run()}, manners);
  EXPECT_EQ(answered.answers.back()["code"], "device_lost");
  EXPECT_EQ(answered.answers.back()["id"], 7);
  EXPECT_LT(answered.answers.size(), 7U);
  EXPECT_EQ(answered.exit_code, exit_lost);
}

TEST(Session, SaysThatThereIsNoDevice) {
  std::istringstream in(std::string(hello) + "\n");
  std::ostringstream out;
  const int code = serve(in, out, []() -> ReadyDevice {
    throw Failure(FailureCode::device_lost, "no GPU", exit_no_device);
  });
  EXPECT_EQ(Json::parse(out.str())["message"], "no GPU");
  EXPECT_EQ(code, exit_no_device);
}

TEST(Settling, GrowsWithTheDelaysOfTheMachineWithinLimits) {
  const auto quiet = [](microseconds launch_to_start, microseconds launch_call) {
    Manners manners;
    manners.launch_to_start = launch_to_start;
    manners.launch_call = launch_call;
    SimulatedDevice device(samples::device(), {}, manners);
    return quiet_after(measure_round_trips(device, device.facts().sms, 20));
  };
  const microseconds call{5};
  EXPECT_EQ(quiet(microseconds{20}, call), microseconds{500});
  EXPECT_GE(quiet(microseconds{150}, call), 8 * microseconds{150});
  EXPECT_EQ(quiet(microseconds{3000}, call), microseconds{2000});
  // A slow call is waited for anyway, and says nothing of what comes after it.
  EXPECT_EQ(quiet(microseconds{20}, microseconds{20'000}), microseconds{500});
}

TEST(Settling, GivesUpAfterOneGridThatDoesNotFit) {
  SimulatedDevice device(samples::device(), {});
  const int too_many = device.facts().sms * device.facts().max_blocks_per_sm + 1;
  const Clock::time_point begin = device.now();
  const RoundTrips trips = measure_round_trips(device, too_many, 100);
  EXPECT_FALSE(trips.fits);
  EXPECT_LT(device.now() - begin, std::chrono::seconds{2});
  EXPECT_EQ(quiet_after(trips), microseconds{2000});
}

TEST(Quantiles, AreOfTheTimesInOrder) {
  std::vector<Clock::duration> times;
  for (int i = 100; i >= 1; --i) times.push_back(microseconds{i});
  const Quantiles quantiles = quantiles_of(times);
  EXPECT_EQ(quantiles.p50, microseconds{50});
  EXPECT_EQ(quantiles.p99, microseconds{99});
  EXPECT_EQ(quantiles.max, microseconds{100});
}

}  // namespace
}  // namespace cuvier::gpu
