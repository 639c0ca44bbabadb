// A certificate that holds is confirmed. What is forged: forged_certificate_test.cpp.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "probes/json_fields.h"
#include "reports/certificate/certificate.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// What an inference leaves behind that has one axis to find out, and none that can be.
class Verify : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    inferred_ = new samples::Folder;
    inferred_->write("four.json", samples::device_text);
    const Ended ended = infer_of_few(*inferred_, "out", "sim:four.json",
                                     " --assume algorithm-1,pointer_reset=named");
    ASSERT_EQ(ended.exit_code, 0) << ended.out << ended.err;
    ASSERT_THAT(ended.out,
                HasSubstr("identified: one behaviour is left of those within 1 axis: 3 hypotheses, "
                          "proved equivalent\n"));
  }
  static void TearDownTestSuite() { delete inferred_; }

  Verify() {
    std::filesystem::copy(inferred_->path("out"), folder_.path("out"),
                          std::filesystem::copy_options::recursive);
  }

  Ended verify(const std::string& options = "") const {
    return run_cuvier(folder_, "verify out" + options);
  }

  /// With this shell script in the place of cvc5.
  Ended verify_by(const std::string& script) const {
    folder_.write("solver.sh", script);
    return verify(" --solver 'sh solver.sh'");
  }

  static samples::Folder* inferred_;
  samples::Folder folder_;
};

samples::Folder* Verify::inferred_ = nullptr;

/// Where each SM is a TPC there is no choice of a TPC, and blocks that need a row of warp slots or
/// none are told apart by both readings of the page.
TEST_F(Verify, KnowsWhatIsNoHypothesisOnTheDevice) {
  std::string device = samples::device_text;
  const std::string of_two = R"("sms_per_tpc":2)";
  device.replace(device.find(of_two), of_two.size(), R"("sms_per_tpc":1)");
  folder_.write("four.json", device);
  const std::string assumptions = " --assume algorithm-1,hierarchy=named,warp_layout=w,1";
  run_cuvier(folder_, "infer --oracle sim:four.json,warp_layout=w --out asked --max-probes 30" +
                          assumptions);
  const Ended inferred =
      run_cuvier(folder_, "infer --oracle recording:asked/journal.jsonl --out rows" + assumptions);
  EXPECT_EQ(inferred.exit_code, 0) << inferred.out << inferred.err;
  EXPECT_THAT(inferred.out, HasSubstr("warp_layout=w"));
  const Ended verified = run_cuvier(folder_, "verify rows");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

TEST_F(Verify, ConfirmsWhatAnInferenceProved) {
  const Json model = parse_json(folder_.read("out/model.json"), "model.json");
  EXPECT_EQ(model["classes"]["pointer_reset"], "any value: proved equivalent");
  const int probes = model["probes"];
  const Ended ended = verify();
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_THAT(
      ended.out,
      AllOf(StartsWith(fmt::format(
                "confirmed: {} recordings leave one behaviour, and the model is that\n", probes)),
            HasSubstr("\n  Z3 confirms 8 of 8 lemmas in "),
            HasSubstr(fmt::format("\n  the model predicts {} of {} recordings, ", probes, probes)),
            HasSubstr("\nClaims:\n  On four SMs, no sequence of probes tells apart "
                      "algorithm-1; pointer_reset=")));
}

TEST_F(Verify, SaysSoWhereNothingHadToBeProved) {
  folder_.write("four.json", samples::device_text);
  infer_of_few(folder_, "found", "sim:four.json", " --assume algorithm-1");
  const Ended ended = run_cuvier(folder_, "verify found");
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(StartsWith("confirmed: "),
                               HasSubstr(" recordings leave one behaviour, and the model is that"),
                               Not(HasSubstr("lemma"))));
}

TEST_F(Verify, ChecksWhatARefutedRunClaims) {
  folder_.write("four.json", samples::device_text);
  const Ended inferred =
      run_cuvier(folder_,
                 "infer --oracle sim:four.json --out found --assume algorithm-1,queue=named,"
                 "selection=named --assume selection=first_fit,most_warps");
  ASSERT_EQ(inferred.exit_code, refuted) << inferred.out << inferred.err;
  const Ended ended = run_cuvier(folder_, "verify found");
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(StartsWith("confirmed: nothing explains "), Not(HasSubstr("null"))));
}

/// A refuted run asks what clashes once more, alone, and an inference of its journal reads that
/// too.
TEST_F(Verify, CountsWhatWasAskedAgainAsAnInferenceOfTheJournalDoes) {
  folder_.write("four.json", samples::device_text);
  const std::string assumed = " --assume algorithm-1";
  run_cuvier(folder_, "infer --oracle 'sim:four.json,local_memory=ignored' --out asked" + assumed);
  ASSERT_THAT(folder_.read("asked/journal.jsonl"), HasSubstr("-alone"));
  run_cuvier(folder_, "infer --oracle recording:asked/journal.jsonl --out again" + assumed);
  const Ended ended = run_cuvier(folder_, "verify again");
  EXPECT_EQ(ended.exit_code, 0) << ended.out;
}

/// In front of an oracle they vote; an inference of the journal takes each for itself.
TEST_F(Verify, TakesRunsAsAnInferenceDoes) {
  folder_.write("four.json", samples::device_text);
  const std::string options = " --assume algorithm-1,bfa --repeat 3";
  run_cuvier(folder_, "infer --oracle sim:four.json --out votes --max-probes 10" + options);
  EXPECT_EQ(run_cuvier(folder_, "verify votes").exit_code, confirmed);
  const Ended inferred =
      run_cuvier(folder_, "infer --oracle recording:votes/journal.jsonl --out found" + options);
  ASSERT_EQ(inferred.exit_code, 0) << inferred.out << inferred.err;
  EXPECT_THAT(inferred.out, HasSubstr("  probes      30 in"));
  const Ended ended = run_cuvier(folder_, "verify found");
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
}

TEST_F(Verify, EndsOnCtrlCWithWhatIsKnown) {
  folder_.write("solver.sh", "sleep 20\n");
  const Ended ended = run_interrupted(folder_, "verify out --solver 'sh solver.sh'");
  EXPECT_EQ(ended.exit_code, ambiguous) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(StartsWith("unfinished: nothing contradicts it so far\n"),
                               HasSubstr("\n  interrupted: the rest was not checked\n")));
}

TEST_F(Verify, TellsProgramsToo) {
  folder_.write("solver.sh", "echo unsat\n");
  const Ended ended = verify(" --json --solver 'sh solver.sh'");
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  const Json json = parse_json(ended.out, "stdout");
  EXPECT_EQ(json["status"], "confirmed");
  EXPECT_EQ(json["claimed"], "identified");
  EXPECT_EQ(json["solvers"].dump(), R"(["Z3","sh"])");
  ASSERT_EQ(json["answers"].size(), 16U);
  EXPECT_EQ(json["answers"][1]["file"], "001-warps-rotated-answers.smt2");
  EXPECT_EQ(json["answers"][1]["solver"], "sh");
  EXPECT_EQ(json["answers"][1]["answer"], "unsat");
}

TEST_F(Verify, AsksCvc5WhereItIsInstalled) {
  if (std::system("command -v cvc5 >/dev/null") != 0) GTEST_SKIP() << "cvc5 is not installed";
  EXPECT_THAT(verify().out, HasSubstr("\n  cvc5 confirms 8 of 8 lemmas in "));
}

TEST_F(Verify, SaysThatCvc5IsNotThere) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const Ended ended = verify();
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("cvc5 is not installed"));
}

TEST_F(Verify, NamesWhatIsMissing) {
  std::filesystem::remove(folder_.path("out/certificate/SHA256SUMS"));
  const Ended ended = verify();
  EXPECT_EQ(ended.exit_code, refuted) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("out/certificate/SHA256SUMS: is missing\n"));
  std::filesystem::remove(recordings_file(folder_.path("out")));
  const Ended none = verify();
  EXPECT_EQ(none.exit_code, bad_input);
  EXPECT_THAT(none.err, HasSubstr("out/journal.jsonl: cannot be opened"));
}

TEST_F(Verify, ASolverThatGivesUpConfirmsNothing) {
  const Ended ended = verify_by("grep -q releasing $1 && echo unsat || echo unknown");
  EXPECT_EQ(ended.exit_code, undecided) << ended.out << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(StartsWith("undecided: "), HasSubstr("sh gave up: it answered unknown\n")));
}

TEST_F(Verify, SolversThatDisagreeRefuteWhateverTheyAreTold) {
  const Ended ended = verify_by("grep -q 'status unsat' $1 && echo unsat || echo sat");
  EXPECT_EQ(ended.exit_code, refuted) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr(".smt2: sh answers sat where unsat is claimed\n"));
}

TEST_F(Verify, NeedsACertificateAndASolverThatIsThere) {
  const Ended missing = verify(" --solver no-such-solver");
  EXPECT_EQ(missing.exit_code, bad_input);
  EXPECT_THAT(missing.err, HasSubstr("\"no-such-solver\" is no program that can be run"));
  std::filesystem::remove_all(folder_.path("out/certificate"));
  const Ended none = verify();
  EXPECT_EQ(none.exit_code, bad_input);
  EXPECT_THAT(none.err, HasSubstr("out/certificate/index.json: there is no certificate"));
}

TEST_F(Verify, AnInferenceFromRecordingsHasTheLemmasOfTheOneThatMadeThem) {
  folder_.write("four.json", samples::device_text);
  run_cuvier(folder_, "infer --oracle sim:four.json --out found --max-probes 1");
  run_cuvier(folder_, "infer --oracle recording:found/journal.jsonl --out again");
  int lemmas = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path("found/certificate"))) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with("refuted-")) continue;
    ++lemmas;
    EXPECT_EQ(folder_.read("again/certificate/" + file), folder_.read("found/certificate/" + file))
        << file;
  }
  EXPECT_GT(lemmas, 0);
}

}  // namespace
}  // namespace cuvier
