// cuvier minimize, from outside.

#include <gmock/gmock.h>

#include "probes/fact.h"
#include "tests/cli/cuvier_test.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Minimize : public CuvierTest {
 protected:
  Minimize() : CuvierTest("minimize ") { folder_.write("probe.json", samples::probe_text); }
};

TEST_F(Minimize, WritesTheSmallestProbe) {
  const Ended ended =
      run("probe.json --between algorithm-1 tie_break=linear --device four.json --out small.json");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("1-minimal: nothing smaller by one step will do\n"));
  EXPECT_THAT(ended.out, HasSubstr("SM 2 under A, SM 1 under B"));
  const Probe small = probe_from_json(parse_json(folder_.read("small.json"), "small"), "small");
  EXPECT_EQ(small.kernels, std::vector{(Kernel{"k1", 2, 32, 16, 0, 0, 0, {}})});

  const Json json = parse_json(
      run("probe.json --between algorithm-1 tie_break=linear --device four.json --json").out, "");
  EXPECT_EQ(json["probe"].dump(), to_json(small).dump());
  EXPECT_EQ(json["size"]["blocks"], 2);
  EXPECT_EQ(json["before"]["blocks"], 7);
  EXPECT_EQ(json["one_minimal"], true);
}

TEST_F(Minimize, FindsTheSmallestRefutation) {
  const Ended ended = run(table2 + " --refutes algorithm-1-as-printed --out clash.jsonl");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("refuted by 1 of 41 facts: proved least"));
  EXPECT_THAT(ended.out, HasSubstr("  starts on SMs {1}  starts on SMs "));
  const RecordingSet clash = read_recordings(folder_.path("clash.jsonl"));
  ASSERT_EQ(clash.recordings.size(), 1U);
  EXPECT_EQ(clash.recordings[0].facts.size(), 1U);
  EXPECT_EQ(run_cuvier(folder_, "check clash.jsonl --assume algorithm-1-as-printed").exit_code, 11);
  EXPECT_EQ(run_cuvier(folder_, "check clash.jsonl --assume algorithm-1").exit_code, 0);
}

TEST_F(Minimize, AnInterruptEndsItWithTheSmallestSoFar) {
  // The paper's case on many SMs, which takes seconds to make small.
  const std::vector<Recording> cases = read_recordings(table2).recordings;
  const auto large = std::ranges::find(cases, "case-4.1", &Recording::name);
  ASSERT_NE(large, cases.end());
  Probe probe = large->probe;
  for (Kernel& kernel : probe.kernels) kernel.blocks = 512;
  folder_.write("large.json", to_json(probe).dump());
  folder_.write("many.json", samples::with(samples::device_text, R"("sms":4)", R"("sms":512)"));
  const Ended ended =
      run_interrupted(folder_,
                      "minimize large.json --between algorithm-1 register_layout=contiguous "
                      "--device many.json --out small.json");
  EXPECT_EQ(ended.exit_code, 10) << ended.out << ended.err;
  EXPECT_THAT(ended.out,
              StartsWith("interrupted: what is below still tells A from B, but may not be "
                         "the smallest\n"));
  EXPECT_THAT(ended.out, HasSubstr("<- they part"));
  EXPECT_THAT(folder_.read("small.json"), HasSubstr("\"case-4.1\""));
}

TEST_F(Minimize, BadInputIsOneLine) {
  EXPECT_THAT(complaint("probe.json --between algorithm-1 algorithm-1 --device four.json"),
              HasSubstr("probe.json: algorithm-1 and algorithm-1 predict the same for it"));
  EXPECT_THAT(complaint("probe.json"), HasSubstr("needs --between A B or --refutes MODEL"));
  EXPECT_THAT(complaint("probe.json --between algorithm-1 bfa"), HasSubstr("needs --device"));
  EXPECT_THAT(complaint(table2 + " --refutes algorithm-1"), HasSubstr("explains every fact"));
  EXPECT_THAT(complaint("probe.json --between a b --device t4 --refutes c"), HasSubstr("excludes"));
}

TEST_F(Minimize, HelpTeaches) {
  EXPECT_THAT(run("--help").out, HasSubstr("Examples:\n  cuvier minimize "));
}

}  // namespace
}  // namespace cuvier
