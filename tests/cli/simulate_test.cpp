// What a scheduler makes of a workload, from outside.

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SimulateCommand : public ::testing::Test {
 protected:
  SimulateCommand() {
    folder_.write("four.json", samples::device_text);
    folder_.write("load.json",
                  R"({"kernels":{"a":{"blocks":8,"threads":1024,"registers":32,"block_ms":10},)"
                  R"("b":{"blocks":1,"threads":32,"registers":32,"arrival_ms":1,"block_ms":5}}})");
  }
  samples::Folder folder_;
};

TEST_F(SimulateCommand, TellsTurnaroundsOfEachPolicy) {
  const Ended ended =
      run_cuvier(folder_,
                 "simulate load.json --json --device four.json --policy algorithm-1 --policy "
                 "queue=skip_ahead,config_scope=none");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json json = parse_json(ended.out, "stdout")["policies"];
  ASSERT_EQ(json.size(), 2u);
  // A block of `a` fills an SM: b is behind its second half, or beside its first.
  EXPECT_EQ(json[0]["kernels"]["a"]["turnaround_ms"], 20.0);
  EXPECT_EQ(json[0]["unfinished"], 0);
  EXPECT_EQ(json[1]["kernels"]["b"]["turnaround_ms"], 5.0);
  EXPECT_EQ(json[1]["kernels"]["b"]["alone_ms"], 5.0);
}

/// On two of the four SMs it takes twice as long, and all of these are in use.
TEST_F(SimulateCommand, LeavesReservedSmsAlone) {
  folder_.write("less.json", R"({"kernels":{"a":{"blocks":8,"threads":1024,"registers":32,)"
                             R"("block_ms":10}},"reserved_sms":[0,1]})");
  const std::string asked = "less.json --device four.json --json";
  const Ended ended = run_cuvier(folder_, "simulate " + asked + " --policy bfa --trace t.json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json policy = parse_json(ended.out, "stdout")["policies"][0];
  EXPECT_EQ(policy["makespan_ms"], 40.0);
  EXPECT_NEAR(policy["utilisation"].get<double>(), 32.0 / 48, 1e-9);
  EXPECT_THAT(folder_.read("t.json"), HasSubstr("SM 3"));
  EXPECT_THAT(folder_.read("t.json"), Not(HasSubstr("SM 0")));
  const Ended ordered = run_cuvier(folder_, "order " + asked);
  ASSERT_EQ(ordered.exit_code, 0) << ordered.err;
  EXPECT_EQ(parse_json(ordered.out, "stdout")["best"]["makespan_ms"], 40.0);
}

/// Two of the four SMs are full for good: as if they were reserved, but in use.
TEST_F(SimulateCommand, GoesOnBesideWhatIsResident) {
  folder_.write("beside.json", R"({"kernels":{"a":{"blocks":8,"threads":1024,"registers":32,)"
                               R"("block_ms":10}},"resident":{"r":{"blocks":2,"threads":1024,)"
                               R"("registers":32}}})");
  const std::string asked = "beside.json --device four.json --json";
  const Ended ended = run_cuvier(folder_, "simulate " + asked + " --policy bfa");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json policy = parse_json(ended.out, "stdout")["policies"][0];
  EXPECT_EQ(policy["makespan_ms"], 40.0);
  EXPECT_EQ(policy["unfinished"], 0);
  EXPECT_EQ(policy["kernels"].size(), 1u);
  EXPECT_EQ(policy["kernels"]["a"]["alone_ms"], 20.0);
  EXPECT_NEAR(policy["utilisation"].get<double>(), 32.0 / 48, 1e-9);
  const Ended ordered = run_cuvier(folder_, "order " + asked);
  ASSERT_EQ(ordered.exit_code, 0) << ordered.err;
  EXPECT_EQ(parse_json(ordered.out, "stdout")["best"]["makespan_ms"], 40.0);
  folder_.write("beside.json", R"({"kernels":{"a":{"blocks":8,"threads":64,"registers":32,)"
                               R"("block_ms":10}},"resident":{"a":{"blocks":2,"threads":64,)"
                               R"("registers":32}}})");
  const Ended named = run_cuvier(folder_, "simulate " + asked);
  EXPECT_EQ(named.exit_code, bad_input);
  EXPECT_THAT(named.err, HasSubstr("beside.json: resident.a: is one of the kernels, too"));
}

TEST_F(SimulateCommand, WithoutAPolicyIsWhatExplainsTheGpusRecordings) {
  const Ended ended = run_cuvier(folder_, "simulate load.json --device rtx3090 --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json json = parse_json(ended.out, "stdout")["policies"];
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["policy"], "rtx3090-as-recorded");
  EXPECT_EQ(json[0]["evidence"], "explains all 133 facts recorded of this GPU");
}

TEST_F(SimulateCommand, ShowsWhatIsResidentOverTime) {
  const Ended ended = run_cuvier(folder_,
                                 "simulate load.json --json --device four.json --policy "
                                 "selection=fewest_warps");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json over_time = parse_json(ended.out, "stdout")["policies"][0]["over_time"];
  double block_ms = 0;
  for (const auto& blocks : over_time["blocks"]) block_ms += blocks.get<double>();
  EXPECT_NEAR(block_ms * over_time["span_ms"].get<double>(), 8 * 10 + 5, 1e-6);
}

TEST_F(SimulateCommand, TracesEveryBlock) {
  const std::string command = "simulate load.json --device four.json --trace t.json --policy bfa";
  ASSERT_EQ(run_cuvier(folder_, command).exit_code, 0);
  int blocks = 0;
  const Json trace = parse_json(folder_.read("t.json"), "trace");
  for (const Json& event : trace["traceEvents"]) blocks += event["ph"] == "X";
  EXPECT_EQ(blocks, 8 + 1 + 1);  // and the workload
  const Ended ended = run_cuvier(folder_, command + " --policy dfa");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("--trace is of one --policy"));
}

TEST_F(SimulateCommand, SaysHowFarItIsAndEndsOnCtrlC) {
  folder_.write("long.json", R"({"kernels":{"a":{"blocks":60000000,"threads":32,"registers":32,)"
                             R"("block_ms":1}}})");
  const Ended ended =
      run_interrupted(folder_, "simulate long.json --device four.json --policy bfa");
  EXPECT_EQ(ended.exit_code, ambiguous);
  EXPECT_THAT(ended.err, HasSubstr("simulating: blocks that started"));
}

TEST_F(SimulateCommand, TellsWhatIsWrongInOneLine) {
  folder_.write("empty.json", R"({"kernels":{}})");
  folder_.write("past.json", R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":32,)"
                             R"("arrival_ms":-5,"block_ms":1}}})");
  folder_.write("large.json", R"({"kernels":{"a":{"blocks":1,"threads":2048,"registers":32,)"
                              R"("block_ms":1}}})");
  folder_.write("refill.json", R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":32,)"
                               R"("block_ms":1}},"refill":"never"})");
  for (const auto& [file, words] : {std::pair{"refill.json", "refill: must be at_once or in_pairs"},
                                    std::pair{"empty.json", "kernels: is empty"},
                                    std::pair{"past.json", "kernels.a.arrival_ms: must be 0"},
                                    std::pair{"large.json", "kernels.a.threads: 2048 is over"}}) {
    const Ended ended =
        run_cuvier(folder_, std::string("simulate ") + file + " --device four.json --policy bfa");
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_THAT(ended.err, HasSubstr(words));
    EXPECT_EQ(ended.out, "");
  }
}

}  // namespace
}  // namespace cuvier
