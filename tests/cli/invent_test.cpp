#include <gmock/gmock.h>

#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
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
  EXPECT_THAT(folder_.read("out/invention.html"), HasSubstr("What was invented"));
  const Ended page = run_cuvier(folder_, "report out/invention.json --format markdown");
  EXPECT_THAT(page.out, HasSubstr("pointer\\_skip=next "));
}

/// Pairs, and the carve-outs, of an RTX 3090: two rules that people took a day for each.
TEST_F(Invent, ExplainsRecordingsWithTwoRules) {
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
