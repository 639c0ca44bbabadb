#include "corpus/imports/imports.h"

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Starts when it is called, at once, or at `start`; ends at `end`.
TimedKernel timed(const std::string& name, double call, const std::vector<TimedBlock>& blocks) {
  return {samples::kernel(name, static_cast<int>(blocks.size()), 512), call, call + 20e-6, blocks};
}

std::string refusal_of(const std::vector<TimedKernel>& kernels) {
  return samples::message_of([&] { imported(kernels, "timed"); });
}

TEST(Timeline, BecomesAScriptOfLaunchesAndReleases) {
  const Imported found = imported(
      {timed("a", 1, {{0, 1.00003, 2}, {2, 1.00004, 3}}), timed("b", 1.5, {{0, 2.00001, 4}})},
      "timed");
  const Recording& recording = found.recording;
  ASSERT_EQ(recording.probe.script.size(), 3U);
  EXPECT_EQ(recording.probe.script[0].launch, 0);
  EXPECT_EQ(recording.probe.script[1].launch, 1);
  EXPECT_EQ(recording.probe.script[2].releases, (std::vector<Release>{{0, {0}}}));
  std::vector<std::string> facts;
  for (const Fact& fact : recording.facts) facts.push_back(to_json(fact, recording.probe).dump());
  EXPECT_THAT(facts, ElementsAre(R"({"step":0,"kernel":"a","sm":[0,2]})",
                                 R"({"step":1,"kernel":"b","started":0})",
                                 R"({"step":2,"kernel":"b","sm":[0]})"));
  EXPECT_FALSE(found.exact);
}

TEST(Timeline, CountsAsFarAsItIsExact) {
  const Imported found = imported({timed("a", 1, {{0, 1.00003, 2}, {2, 1.00004, 2.000001}}),
                                   timed("b", 1.5, {{0, 2.00001, 4}})},
                                  "timed");
  EXPECT_EQ(found.exact, 2);
  EXPECT_EQ(found.recording.facts.size(), 3U);
}

TEST(Timeline, IsRefusedWhereItDoesNotTell) {
  // Two blocks leave, and what starts may be let in by either.
  EXPECT_THAT(refusal_of({timed("a", 1, {{0, 1.00003, 2}, {2, 1.00004, 2.00001}}),
                          timed("b", 1.5, {{0, 2.000005, 4}, {2, 2.000015, 4}})}),
              HasSubstr("block 1 of b starts at 2.000015000 s, 5 us after a block ended and 15 us "
                        "after an earlier one: which of them let it in is not told"));
  EXPECT_THAT(
      refusal_of({timed("a", 1, {{0, 1.00003, 2}}), timed("b", 1.9999, {{0, 2.00001, 4}}),
                  timed("c", 2.00002, {{0, 2.00003, 4}}), timed("d", 1.5, {{0, 2.00004, 4}})}),
      HasSubstr("block 0 of d starts (at 2.000040000 s) after c was launched"));
  EXPECT_THAT(
      refusal_of({timed("a", 1, {{0, 1.00003, 2}}), timed("b", 1.99999, {{0, 2.00001, 4}})}),
      HasSubstr("a block of a ended (at 2.000000000 s) while b was being launched"));
  for (const double call : {1.0, 1.00001}) {
    TimedKernel other = timed("b", call, {{2, 1.00005, 4}});
    other.kernel.threads = 32;
    EXPECT_THAT(refusal_of({timed("a", 1, {{0, 1.00003, 2}}), other}),
                HasSubstr("a and b were launched at once"));
  }
}

TEST(Timeline, OfKernelsLaunchedAtOnceThatAskTheSameTheFirstToStartWasFirst) {
  const Imported found = imported(
      {timed("a", 1, {{0, 1.00005, 2}}), timed("b", 1.000001, {{2, 1.00003, 2}})}, "timed");
  EXPECT_EQ(found.recording.probe.script[0].launch, 1);
  EXPECT_EQ(found.recording.probe.script[1].launch, 0);
}

class Files : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    folder_.write(name, text);
    return folder_.path(name);
  }
  std::vector<Recording> table(const std::string& text, std::optional<int> blocks_per_sm = {}) {
    return import_placements(write("t.csv", text), samples::device(), {64, 32, 0, blocks_per_sm});
  }
  std::string table_refusal(const std::string& text) {
    return samples::message_of([&] { table(text); });
  }
  std::string log_refusal(const std::string& text) {
    return samples::message_of(
        [&] { import_examiner_logs({write("log.json", text)}, samples::device(), 32); });
  }

  samples::Folder folder_;
};

TEST_F(Files, ATableIsARecordingForEachLaunch) {
  const auto recordings = table("cluster_size,sm_id,block_id\n2,3,1\n2,2,0\n1,1,0\n");
  ASSERT_EQ(recordings.size(), 2U);
  EXPECT_EQ(recordings[0].probe.kernels[0].cluster, 1);
  EXPECT_THAT(recordings[1].facts[0].values, ElementsAre(2, 3));
}

TEST_F(Files, OfATableOnlyTheFirstWaveCounts) {
  const std::string text = "block,sm\n0,0\n1,2\n2,0\n3,1\n";
  EXPECT_THAT(table(text)[0].facts[0].values, ElementsAre(0, 2, 0, 1));
  EXPECT_THAT(table(text, 1)[0].facts[0].values, ElementsAre(0, 2));
}

TEST_F(Files, TablesThatAreNoneAreRefusedWithTheLine) {
  EXPECT_THAT(table_refusal("a,b\n1,2\n"),
              HasSubstr("t.csv:1: the first line must name the columns"));
  EXPECT_THAT(table_refusal("block,sm\n0,4\n"),
              HasSubstr("t.csv:2: sm must be a whole number from 0 to 3"));
  EXPECT_THAT(table_refusal("block,sm\n0,1,2\n"), HasSubstr("t.csv:2: has 3 cells"));
  EXPECT_THAT(table_refusal("block,sm\n0,1\n0,2\n"), HasSubstr("t.csv:3: block 0 is there twice"));
  EXPECT_THAT(table_refusal("block,sm\n1,1\n"),
              HasSubstr("of k1 there are 1 blocks, and one of them is number 1"));
  EXPECT_THAT(table_refusal("block,sm\n"), HasSubstr("holds no block"));
  EXPECT_THAT(table_refusal("block,sm\n0,1\n1,2"),
              HasSubstr("t.csv:3: does not end: was the file cut off here?"));
  EXPECT_THAT(table_refusal(""),
              HasSubstr("t.csv: is empty; its first line must name the columns"));
  EXPECT_THAT(table_refusal("block,sm,sm\n0,1,2\n"),
              HasSubstr("t.csv:1: the columns sm and sm say the same; leave one out"));
  EXPECT_THAT(table_refusal("block,block_id,sm\n0,1,2\n"),
              HasSubstr("the columns block and block_id say the same"));
}

TEST_F(Files, ATableMayBeginWithTheMarkOfUtf8) {
  EXPECT_THAT(table("\xef\xbb\xbf"
                    "block,sm\n0,2\n")[0]
                  .facts[0]
                  .values,
              ElementsAre(2));
}

constexpr const char* log_text =
    R"({"scenario_name":"s","other":1,"times":[{},{"kernel_name":"K","block_count":2,)"
    R"("thread_count":64,"shared_memory":0,"cuda_launch_times":[1.0,1.1,2.0],)"
    R"("block_times":[1.2,2.0,1.3,2.0],"block_smids":[3,1]}]})";

TEST_F(Files, LogsOfSeveralStreamsAreOneRecording) {
  const std::string path = write("log.json", log_text);
  const std::string later =
      write("later.json", samples::with(log_text, "1.2,2.0,1.3,2.0", "1.4,2.0,1.5,2.0"));
  const Imported found = import_examiner_logs({path, later}, samples::device(), 40);
  const Probe& probe = found.recording.probe;
  ASSERT_EQ(probe.kernels.size(), 2U);
  EXPECT_EQ(probe.kernels[1].name, "K-2");
  EXPECT_EQ(probe.kernels[1].stream, "s2");
  EXPECT_EQ(probe.kernels[1].registers, 40);
}

TEST_F(Files, LogsThatAreNoneAreRefusedWithTheField) {
  EXPECT_THAT(log_refusal("{}"), HasSubstr("log.json: has no scenario_name"));
  EXPECT_THAT(log_refusal(samples::with(log_text, "[3,1]", "[3]")),
              HasSubstr("times[1].block_smids: must have an SM for each block"));
  EXPECT_THAT(log_refusal(samples::with(log_text, "[3,1]", "[3,9]")), HasSubstr("block_smids"));
  EXPECT_THAT(log_refusal(samples::with(log_text, "1.3,", "")),
              HasSubstr("block_times: must have 4 numbers, and has 3"));
  EXPECT_THAT(log_refusal(samples::with(log_text, "1.3,", "0.9,")),
              HasSubstr("block 1 must start after its launch"));
  EXPECT_THAT(log_refusal(samples::with(log_text, "1.0,1.1,", "1.0,0.9,")),
              HasSubstr("cuda_launch_times: must begin with the call of the launch"));
  EXPECT_THAT(log_refusal(R"({"scenario_name":"s","times":[{}]})"), HasSubstr("hold no kernel"));
}

}  // namespace
}  // namespace cuvier
