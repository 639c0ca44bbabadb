// A certificate that holds is confirmed; whatever does not match is named.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "hypotheses/axes.h"
#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"
#include "tests/reports/certificate_sample.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr int confirmed = 0;
constexpr int bad_input = 2;
constexpr int ambiguous = 10;
constexpr int refuted = 11;
constexpr int undecided = 12;

class Verify : public ::testing::Test {
 protected:
  Verify() { write_certificate(out_, samples::proofs()); }

  Ended verify(const std::string& options = "") const {
    return run_cuvier(folder_, "verify out" + options);
  }

  /// With this shell script in the place of cvc5.
  Ended verify_by(const std::string& script) const {
    folder_.write("solver.sh", script);
    return verify(" --solver 'sh solver.sh'");
  }

  void change(const std::string& name, const std::string& from, const std::string& to) const {
    folder_.write(name, samples::with(folder_.read(name), from, to));
  }

  /// What is printed once it was seen to be refuted.
  std::string faults() const {
    const Ended ended = verify();
    EXPECT_EQ(ended.exit_code, refuted) << ended.out << ended.err;
    EXPECT_THAT(ended.out, StartsWith("refuted: "));
    return ended.out;
  }

  samples::Folder folder_;
  std::string out_ = samples::write_findings(folder_);
};

TEST_F(Verify, ConfirmsWhatHolds) {
  const Ended ended = verify();
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(
      ended.out,
      AllOf(StartsWith("confirmed: 2 claims, proved by 2 lemmas; the model predicts all of 2 "
                       "recordings\n"),
            HasSubstr("\n  Z3 confirms 2 of 2 lemmas in "),
            HasSubstr("\n  the model predicts 2 of 2 recordings, 2 facts\n"),
            HasSubstr("\n  any value of group_turn shows the same\n")));
}

TEST_F(Verify, EndsOnCtrlCWithWhatIsKnown) {
  folder_.write("solver.sh", "sleep 20\n");
  const Ended ended = run_interrupted(folder_, "verify out --solver 'sh solver.sh'");
  EXPECT_EQ(ended.exit_code, ambiguous) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(StartsWith("unfinished: nothing contradicts it so far\n"),
                               HasSubstr("\n  Z3 confirms 1 of 2 lemmas in "),
                               HasSubstr("\n  interrupted: the rest was not checked\n")));
}

TEST_F(Verify, SaysSoWhereNothingHadToBeProved) {
  folder_.write("four.json", samples::device_text);
  run_cuvier(folder_, "infer --oracle sim:four.json --out found --assume algorithm-1");
  const Ended ended = run_cuvier(folder_, "verify found");
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(StartsWith("confirmed: the model predicts all of 24 recordings; it "
                                          "says nothing that needs a proof\n"),
                               Not(HasSubstr("lemma"))));
}

TEST_F(Verify, ConfirmsWhatAnInferenceProved) {
  std::string assumptions;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis == index_of<PointerReset>()) continue;
    const AxisInfo& info = axis_info(axis);
    assumptions += fmt::format(" --assume {}={}", info.name, info.values.front().name);
  }
  const Ended inferred =
      run_cuvier(folder_, "infer --oracle sim:rtx3090 --out found" + assumptions);
  EXPECT_EQ(inferred.exit_code, 0) << inferred.out << inferred.err;
  EXPECT_THAT(inferred.out,
              HasSubstr("identified: one behaviour is left: 3 hypotheses, proved equivalent\n"));
  const Json model = parse_json(folder_.read("found/model.json"), "model.json");
  EXPECT_EQ(model["classes"]["pointer_reset"], "any value: proved equivalent");
  const Ended ended = run_cuvier(folder_, "verify found");
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("confirmed: 1 claim, proved by 8 lemmas"));
}

TEST_F(Verify, TellsProgramsToo) {
  const Ended ended = verify(" --json --solver 'z3 -smt2'");
  if (ended.exit_code == bad_input) GTEST_SKIP() << "no z3 program here";
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  const Json json = parse_json(ended.out, "stdout");
  EXPECT_EQ(json["status"], "confirmed");
  EXPECT_EQ(json["solvers"].dump(), R"(["Z3","z3"])");
  ASSERT_EQ(json["answers"].size(), 4U);
  EXPECT_EQ(json["answers"][1]["file"], "gap.smt2");
  EXPECT_EQ(json["answers"][1]["solver"], "z3");
  EXPECT_EQ(json["answers"][1]["answer"], "unsat");
}

TEST_F(Verify, AsksCvc5WhereItIsInstalled) {
  if (std::system("command -v cvc5 >/dev/null") != 0) GTEST_SKIP() << "cvc5 is not installed";
  EXPECT_THAT(verify().out, HasSubstr("\n  cvc5 confirms 2 of 2 lemmas in "));
  change("out/certificate/order.smt2", "(< x x)", "(< x 7)");
  EXPECT_THAT(faults(), HasSubstr("order.smt2: cvc5 answers sat where unsat is claimed\n"));
}

TEST_F(Verify, SaysThatCvc5IsNotThere) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const Ended ended = verify();
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(ended.exit_code, confirmed) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("cvc5 is not installed"));
}

TEST_F(Verify, NamesALemmaThatNoLongerHolds) {
  change("out/certificate/gap.smt2", "(< x 4)", "(< x 5)");
  EXPECT_THAT(faults(),
              AllOf(HasSubstr("gap.smt2: Z3 answers sat where unsat is claimed\n"),
                    HasSubstr("gap.smt2: was changed since"),
                    HasSubstr("Z3 confirms 1 of 2 lemmas"), Not(HasSubstr("order.smt2"))));
}

TEST_F(Verify, NamesALemmaThatAsksNothing) {
  // Forged: the index agrees with it.
  const std::string before = fingerprint(folder_.read("out/certificate/gap.smt2"));
  change("out/certificate/gap.smt2", "(check-sat)\n", "");
  change("out/certificate/index.json", before,
         fingerprint(folder_.read("out/certificate/gap.smt2")));
  EXPECT_THAT(faults(), HasSubstr("gap.smt2: does not end with its only (check-sat)"));
}

TEST_F(Verify, NamesALemmaThatStatesSomethingElse) {
  change("out/certificate/index.json", "between 3 and 4", "between 3 and 5");
  EXPECT_THAT(faults(), HasSubstr("gap.smt2: does not begin with the index's statement of it\n"));
}

TEST_F(Verify, NamesFilesThatAreMissingOrNotListed) {
  std::filesystem::remove(certificate_file(out_, "gap.smt2"));
  folder_.write("out/certificate/more.smt2", "(assert false)\n(check-sat)\n");
  EXPECT_THAT(faults(), AllOf(HasSubstr("gap.smt2: cannot be opened"),
                              HasSubstr("more.smt2: is not in the index\n")));
  std::filesystem::remove(recordings_file(out_));
  EXPECT_THAT(faults(), HasSubstr("out/journal.jsonl: cannot be opened"));
}

TEST_F(Verify, NamesAModelThatWasChanged) {
  change("out/model.json", R"("tie_break": "tpc_interleaved")", R"("tie_break": "linear")");
  EXPECT_THAT(
      faults(),
      AllOf(HasSubstr("out/model.json: was changed since the certificate was written\n"),
            HasSubstr(R"(recording "first" contradicts the model at step 0, k: seen: starts on )"
                      "SMs 0, 2; predicted: starts on SMs 0, 1\n"),
            HasSubstr("the model predicts 0 of 2 recordings")));
}

TEST_F(Verify, NamesARecordingThatContradictsTheModel) {
  Journal(out_, samples::device(), "sim:four").append(samples::recording("third", {3}));
  EXPECT_THAT(faults(), HasSubstr("out/journal.jsonl: was changed since"));
  write_certificate(out_, samples::proofs());
  EXPECT_THAT(faults(), AllOf(HasSubstr("refuted: 1 thing does not match\n"),
                              HasSubstr(R"(recording "third" contradicts the model)"),
                              HasSubstr("the model predicts 2 of 3 recordings")));
}

TEST_F(Verify, ASolverThatGivesUpConfirmsNothing) {
  const Ended ended = verify_by("grep -q '< x x' $1 && echo unsat || echo unknown");
  EXPECT_EQ(ended.exit_code, undecided) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(StartsWith("undecided: "), HasSubstr("sh confirms 1 of 2 lemmas"),
                               HasSubstr("gap.smt2: sh gave up: it answered unknown\n")));
}

TEST_F(Verify, SolversThatDisagreeRefuteWhateverTheyAreTold) {
  const Ended ended = verify_by("grep -q 'status' $1 && echo unsat || echo sat");
  EXPECT_EQ(ended.exit_code, refuted) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("order.smt2: sh answers sat where unsat is claimed\n"));
}

TEST_F(Verify, NeedsACertificateAndASolverThatIsThere) {
  const Ended missing = verify(" --solver no-such-solver");
  EXPECT_EQ(missing.exit_code, bad_input);
  EXPECT_THAT(missing.err, HasSubstr("\"no-such-solver\" is no program that can be run"));
  std::filesystem::remove_all(out_ + "/certificate");
  const Ended none = verify();
  EXPECT_EQ(none.exit_code, bad_input);
  EXPECT_THAT(none.err, HasSubstr("out/certificate/index.json: there is no certificate"));
}

}  // namespace
}  // namespace cuvier
