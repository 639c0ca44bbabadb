// What the world does to an inference: told in one line, and nothing is lost.

#include <gmock/gmock.h>

#include "tests/fault/small_inference.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string healthy = SmallInference::simulated();
const std::string dies_when_asked_again = "sed -u 3q | " + healthy + " | sed -u 2q";

/// Ends at a budget, when it has known for long what it concludes: most of an inference confirms
/// that.
struct BriefInference : SmallInference {
  static constexpr int budget_is_spent = 10;

  BriefInference() : SmallInference(usual_assumptions, " --max-probes 40") {}
};

/// What an inference concludes that nothing disturbs.
const std::string& undisturbed_conclusion() {
  static const std::string conclusion = [] {
    BriefInference inference;
    EXPECT_EQ(inference.run(healthy), BriefInference::budget_is_spent) << inference.said();
    return inference.conclusion();
  }();
  return conclusion;
}

/// Goes on without disturbance: no answer is lost, and the end is the same.
void expect_to_go_on(BriefInference& inference) {
  const std::string before = inference.journal();
  EXPECT_EQ(inference.run(healthy), BriefInference::budget_is_spent) << inference.said();
  EXPECT_THAT(inference.journal(), StartsWith(before));
  EXPECT_EQ(inference.conclusion(), undisturbed_conclusion());
}

struct Misdeed {
  const char* name;
  std::string program;
  const char* told;
};

class DisturbedInference : public ::testing::TestWithParam<Misdeed> {};

TEST_P(DisturbedInference, TellsWhatTheOracleDidAndGoesOn) {
  BriefInference inference;
  EXPECT_EQ(inference.run(GetParam().program), 3) << inference.said();
  EXPECT_THAT(inference.said(), HasSubstr(GetParam().told));
  EXPECT_THAT(
      inference.said(),
      HasSubstr("the answers so far are in out/journal.jsonl: --resume goes on from there"));
  EXPECT_EQ(inference.recordings().size(), 1U);
  EXPECT_FALSE(inference.has_model());
  expect_to_go_on(inference);
}

// The second answer is not what it should be; what it says begins with its device.
INSTANTIATE_TEST_SUITE_P(
    Oracles, DisturbedInference,
    ::testing::Values(
        Misdeed{"Dies", dies_when_asked_again, "stopped without an answer to run"},
        Misdeed{"DiesInTheMiddle", "sed -u 3q | " + healthy + " | (sed -u 2q; head -c 50)",
                "stopped in the middle of its answer to run"},
        Misdeed{"Babbles", healthy + " | sed -u '3s/.*/what?/'", "its answer to run was \"what?\""},
        Misdeed{"AnswersAnother", healthy + R"( | sed -u '3s/"id":[0-9]*/"id":99/')",
                "answers request 99, but 2 was asked"},
        Misdeed{"AnswersTwice", healthy + " | sed -u 2p", "answers request 1, but 2 was asked"},
        Misdeed{"LosesItsDevice",
                healthy + R"( | sed -u '3s/.*/{"type":"error","id":2,"code":"device_lost",)"
                          R"("message":"Xid 79"}/')",
                "device_lost: Xid 79"}),
    [](const auto& info) { return info.param.name; });

TEST(DisturbedInference, ALateAnswerIsAnAnswer) {
  BriefInference inference;
  const std::string late =
      healthy + " | (for n in $(seq 20); do read -r line; sleep 0.1; echo \"$line\"; done; cat)";
  EXPECT_EQ(inference.run(late), BriefInference::budget_is_spent) << inference.said();
  EXPECT_EQ(inference.conclusion(), undisturbed_conclusion());
}

TEST(DisturbedInference, ADeathBetweenAnswersIsANewSession) {
  BriefInference inference;
  const std::string dies_once =
      "if [ -e born ]; then " + healthy + "; else touch born; sed -u 2q | " + healthy + "; fi";
  // It may be asked while it dies; then that is told.
  if (inference.run(dies_once) == 3) inference.run(dies_once);
  EXPECT_TRUE(inference.recordings()[1].fresh);
  EXPECT_EQ(inference.conclusion(), undisturbed_conclusion());
}

TEST(DisturbedInference, AnotherDeviceIsNotMixedIn) {
  BriefInference inference;
  EXPECT_EQ(inference.run(dies_when_asked_again), 3) << inference.said();
  const std::string journal = inference.journal();
  EXPECT_EQ(inference.run(SmallInference::simulated("four.json")), 2) << inference.said();
  EXPECT_THAT(inference.said(), HasSubstr("is the journal of another device: sms is 8 there and 4 "
                                          "here; name another folder"));
  EXPECT_EQ(inference.journal(), journal);
  expect_to_go_on(inference);
}

TEST(DisturbedInference, AFullDiskIsTold) {
  BriefInference whole;
  ASSERT_EQ(whole.run(healthy), BriefInference::budget_is_spent) << whole.said();
  BriefInference inference;
  // A limit on the size of files, in blocks of 512 bytes, does what a full disk does: here the
  // last answer does not fit.
  const std::size_t blocks = whole.journal().size() / 512 - 1;
  const std::string full = "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + "; ";
  EXPECT_EQ(inference.run(healthy, full), 2) << inference.said();
  EXPECT_THAT(inference.said(), HasSubstr("out/journal.jsonl: cannot be written: File too large; "
                                          "make room or name another folder"));
  EXPECT_FALSE(inference.recordings().empty());
  EXPECT_FALSE(inference.has_model());
  expect_to_go_on(inference);
}

TEST(DisturbedInference, ATornAnswerIsAskedAgain) {
  BriefInference inference;
  EXPECT_EQ(inference.run(healthy), BriefInference::budget_is_spent) << inference.said();
  const std::string journal = inference.journal();
  const std::size_t last = journal.rfind('\n', journal.size() - 2) + 1;
  inference.put_journal(journal.substr(0, last + 10));
  EXPECT_EQ(inference.run(healthy), BriefInference::budget_is_spent) << inference.said();
  EXPECT_THAT(inference.said(),
              HasSubstr("out/journal.jsonl was cut off in its last line: removed 10 bytes\n"));
  EXPECT_THAT(inference.journal(), StartsWith(journal.substr(0, last)));
  EXPECT_EQ(inference.conclusion(), undisturbed_conclusion());
}

}  // namespace
}  // namespace cuvier
