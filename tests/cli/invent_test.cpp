#include <gmock/gmock.h>

#include "tests/cli/cuvier_run.h"
#include "tests/law/drawn.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Invent : public ::testing::Test {
 protected:
  Invent() { folder_.write("four.json", samples::device_text); }

  Ended invent(const std::string& planted, const std::string& assumed) {
    return run_cuvier(
        folder_, "invent --out out --oracle 'sim:four.json," + planted + "' --assume " + assumed);
  }

  samples::Folder folder_;
};

TEST_F(Invent, EndsWithTheRuleThatWasPlanted) {
  const Ended ended = invent("pointer_skip=next+(w>=8?1:0)", "algorithm-1");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("refuted: "), HasSubstr("explain everything"),
                               HasSubstr("identified: "), HasSubstr("0 of 1000 contradict ")));
  EXPECT_THAT(folder_.read("out/model.json"), HasSubstr("\"pointer_skip\": \"next "));
  EXPECT_EQ(run_cuvier(folder_, "verify out").exit_code, 0);
  EXPECT_EQ(run_cuvier(folder_, "report out").exit_code, 0);
  EXPECT_THAT(folder_.read("out/invention.html"),
              AllOf(HasSubstr("What was invented"), HasSubstr("The first decision that")));
  const Ended page = run_cuvier(folder_, "report out/invention.json --format markdown");
  EXPECT_THAT(page.out, HasSubstr("pointer\\_skip=next "));
}

TEST_F(Invent, AsksNearWhatSeldomGoesWrong) {
  const Ended ended = invent("dispatch_batch=blocks>=150", "algorithm-1");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("otherwise than algorithm-1 says: asking 60 probes near"),
                               HasSubstr("0 of 1000 contradict dispatch_batch=blocks >= 150\n")));
}

TEST_F(Invent, ExplainsRecordingsWithTwoRules) {
  folder_.write("small.json", small_sms_text(4));
  run_cuvier(folder_,
             "validate --model algorithm-1 --out asked -n 60 --oracle "
             "'sim:small.json,selection=warps+blocks,pointer_skip=next+(w>=3?1:0)'");
  const Ended ended =
      run_cuvier(folder_, "invent asked/journal.jsonl --out out --assume algorithm-1");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("sessions go wrong"), HasSubstr("left of those within 2 axes"),
                    ContainsRegex("mechanism +selection=.*,pointer_skip=next \\+ ")));
  EXPECT_EQ(run_cuvier(folder_, "check out/journal.jsonl --model out/model.json").exit_code, 0);
}

/// Pairs, and the carve-outs, of an RTX 3090: two rules that people took a day for each.
TEST_F(Invent, ExplainsRecordingsOfAGpuWithTwoRules) {
  if (!is_thorough()) GTEST_SKIP() << "it takes a minute: CUVIER_THOROUGH=1 tests/run";
  const Ended ended =
      run_cuvier(folder_, "invent " CUVIER_SOURCE_DIR
                          "/corpus/rtx3090/wilde.jsonl --out out --assume "
                          "dispatch_batch=single --assume "
                          "config_occupancy=all_limits,ignore_registers,single_block");
  EXPECT_EQ(ended.exit_code, 10) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("20 of 33 sessions go wrong"),
                               HasSubstr("dispatch_batch=left >= 169")));
  EXPECT_EQ(run_cuvier(folder_, "check out/journal.jsonl --model out/model.json").exit_code, 0);
}

/// The device has 14 block slots, and its recordings say 16.
TEST_F(Invent, DoubtsTheFactsOfTheDevice) {
  std::string real = samples::device_text;
  const std::string documented = "\"max_blocks_per_sm\":16";
  const std::string otherwise = "\"max_blocks_per_sm\":14";
  folder_.write("real.json", real.replace(real.find(documented), documented.size(), otherwise));
  ASSERT_EQ(
      run_cuvier(folder_, "infer --oracle sim:real.json --out real --assume algorithm-1").exit_code,
      0);
  std::string journal = folder_.read("real/journal.jsonl");
  folder_.write("as-documented.jsonl",
                journal.replace(journal.find(otherwise), otherwise.size(), documented));
  const Ended ended =
      run_cuvier(folder_, "invent as-documented.jsonl --out out --assume algorithm-1");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("max_blocks_per_sm is 14 instead of 16"));
  EXPECT_THAT(folder_.read("out/corrected-max_blocks_per_sm-14/device.json"),
              HasSubstr("\"max_blocks_per_sm\": 14"));
  EXPECT_THAT(folder_.read("out/invention.html"),
              HasSubstr("max_blocks_per_sm is 14 instead of 16"));
}

TEST_F(Invent, AsksAnOracleOrReadsRecordings) {
  EXPECT_EQ(run_cuvier(folder_, "invent --out out").exit_code, 2);
  EXPECT_EQ(run_cuvier(folder_, "invent --out out --oracle sim:four.json recorded.jsonl").exit_code,
            2);
}

TEST_F(Invent, IsAnInferenceWhereAKnownRuleExplainsEverything) {
  const Ended ended = invent("pointer_skip=even", "queue=fifo");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, Not(HasSubstr("formula")));
}

}  // namespace
}  // namespace cuvier
