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
  EXPECT_THAT(ended.out, AllOf(HasSubstr("refuted: "), HasSubstr(" explains all of them"),
                               HasSubstr("identified: "), HasSubstr("0 of 1000 contradict ")));
  EXPECT_THAT(folder_.read("out/model.json"), HasSubstr("\"pointer_skip\": \"next "));
  EXPECT_EQ(run_cuvier(folder_, "verify out").exit_code, 0);
  EXPECT_EQ(run_cuvier(folder_, "report out").exit_code, 0);
}

TEST_F(Invent, IsAnInferenceWhereAKnownRuleExplainsEverything) {
  const Ended ended = invent("pointer_skip=even", "queue=fifo");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, Not(HasSubstr("formula")));
}

}  // namespace
}  // namespace cuvier
