#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Four SMs; a block each, in the order that Algorithm 1 gives them.
std::string recordings(const std::string& sms) {
  return R"({"type":"device","source":"a test","device":)" + std::string(samples::device_text) +
         "}\n" +
         R"({"type":"recording","name":"each","kernels":{"k":{"blocks":4,"threads":32,)"
         R"("registers":32}},"script":[{"launch":"k"}],"facts":[{"step":0,"kernel":"k","sm":)" +
         sms + "}]}\n";
}

class AuditCommand : public ::testing::Test {
 protected:
  Ended audit(const std::string& arguments) { return run_cuvier(folder_, "audit " + arguments); }

  samples::Folder folder_;
};

TEST_F(AuditCommand, SaysWhatIsSupportedAndWritesPage) {
  folder_.write("mine.jsonl", recordings("[0,2,1,3]"));
  const Ended ended = audit(
      "mine.jsonl --assume algorithm-1,selection=first_fit,round_robin,tie_break=linear "
      "--page page.md");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("the model explains all 1 fact"), HasSubstr("supported"),
                               HasSubstr("tie_break=tpc_interleaved")));
  EXPECT_THAT(ended.err, HasSubstr("tie_break=tpc_interleaved: supported\n"));
  EXPECT_THAT(folder_.read("page.md"),
              AllOf(HasSubstr("### `tie_break=tpc_interleaved`"), HasSubstr("each: step 0, k"),
                    HasSubstr("Taken for granted: `queue=fifo`, "),
                    HasSubstr("### `queue=fifo`: taken for granted")));
}

TEST_F(AuditCommand, ContradictedModelEndsWithElevenAndSaysWhatHolds) {
  folder_.write("mine.jsonl", recordings("[0,1,2,3]"));
  const Ended ended = audit(
      "mine.jsonl --json --assume algorithm-1,priority=ignored,tie_break=linear,linear_reversed");
  EXPECT_EQ(ended.exit_code, 11) << ended.err;
  const Json json = parse_json(ended.out, "audit");
  EXPECT_EQ(json["mechanism"]["tie_break"], "linear");
  EXPECT_EQ(json["wrong"].size(), 1u);
  for (const Json& axis : json["axes"]) {
    if (axis["axis"] != "tie_break") continue;
    EXPECT_EQ(axis["support"], "contradicted");
    EXPECT_EQ(axis["contradiction"]["recordings"].size(), 1u);
  }
}

TEST_F(AuditCommand, AnAssumptionContradictsNothing) {
  folder_.write("mine.jsonl", recordings("[0,2,1,3]"));
  const Ended ended = audit("mine.jsonl --assume algorithm-1 --model local_memory=ignored");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("\nruled out by --assume, not by a fact:\n"),
                               HasSubstr("\n  local_memory=ignored  --assume has "
                                         "local_memory=grow_when_idle instead")));
  EXPECT_THAT(ended.out, Not(HasSubstr("contradicted")));
}

TEST_F(AuditCommand, AFormulaOfTheModelIsAudited) {
  folder_.write("mine.jsonl", recordings("[0,2,1,3]"));
  const Ended ended = audit(
      "mine.jsonl --json --assume algorithm-1,pointer_skip=named "
      "--model 'pointer_skip=next + (w >= 8 ? 1 : 0)'");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  const Json json = parse_json(ended.out, "audit");
  EXPECT_EQ(json["model"]["pointer_skip"], "next + (w >= 8 ? 1 : 0)");
  for (const Json& axis : json["axes"]) {
    if (axis["axis"] != "pointer_skip") continue;
    EXPECT_NE(axis["support"], "excluded");
  }
  EXPECT_THAT(json["taken_for_granted"].dump(),
              AllOf(HasSubstr("\"queue=fifo\""), Not(HasSubstr("pointer_skip"))))
      << "nobody granted it";
}

TEST_F(AuditCommand, EndsEarlyWithWhatIsKnown) {
  folder_.write("mine.jsonl", recordings("[0,2,1,3]"));
  // So little time that not a single axis can be looked at.
  const Ended none = audit("mine.jsonl --time-limit 1e-9 --page page.md");
  EXPECT_EQ(none.exit_code, 10) << none.err;
  EXPECT_THAT(none.out, StartsWith("the model explains all 1 fact; ended early: the 1e-09 s "
                                   "allowed are spent\n"));
  EXPECT_THAT(none.out, HasSubstr("\nnot looked at:\n  queue=fifo\n"));
  EXPECT_THAT(folder_.read("page.md"), HasSubstr("ended early"));
  EXPECT_EQ(audit("mine.jsonl --model tie_break=linear --time-limit 1e-9").exit_code, 11);

  const Ended ended = run_interrupted(folder_, "audit mine.jsonl", "grep -q ' s: ' stderr.txt");
  EXPECT_EQ(ended.exit_code, 10) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("ended early: interrupted\n"));
  EXPECT_THAT(ended.err, HasSubstr(" s: "));  // progress, off a terminal
}

TEST_F(AuditCommand, OfADeviceWhereABlockMayTakeAllSharedMemory) {
  EXPECT_EQ(run_cuvier(folder_, "validate --model algorithm-1 --oracle sim:v100 -n 6 --out seen")
                .exit_code,
            0);
  const Ended ended = audit(
      "seen/journal.jsonl --model shared_granularity=512 --page page.md "
      "--assume algorithm-1,shared_granularity=named,runtime_shared=named");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(StartsWith("the model explains all 50 facts\n"),
                    HasSubstr("NVIDIA Tesla V100 (80 SMs)"),
                    HasSubstr("shared_granularity=512  everything is explained as well by "
                              "128, 256, 1024 "),
                    HasSubstr("\n  runtime_shared=1024     everything is explained as well by "
                              "0 ")));
  EXPECT_THAT(folder_.read("page.md"), HasSubstr("To be asked about `128`:"));
}

TEST_F(AuditCommand, BadInputIsOneLine) {
  EXPECT_EQ(audit("nothing.jsonl").exit_code, 2);
  folder_.write("mine.jsonl", recordings("[0,2,1,3]"));
  const Ended ended = audit("mine.jsonl --model no-such-model");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("no-such-model"));
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1);
}

}  // namespace
}  // namespace cuvier
