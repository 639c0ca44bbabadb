// cuvier validate, from outside.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "probes/fact.h"
#include "tests/cli/cuvier_test.h"
#include "tests/fake_oracle.h"

namespace cuvier {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class Validate : public CuvierTest {
 protected:
  Validate() : CuvierTest("validate ") {}
};

TEST_F(Validate, SaysHowFarAModelIsToBeTrusted) {
  const Ended ended = run("--model algorithm-1 --oracle sim:four.json -n 200 --out out");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("agreed: all of 200 sequences went as algorithm-1 predicts; at "
                                   "95 % confidence it is wrong on at most 1.5 % of such\n"));
  EXPECT_THAT(ended.out, HasSubstr("\nanswers: out/journal.jsonl\n"));
  EXPECT_EQ(read_recordings(folder_.path("out/journal.jsonl")).recordings.size(), 200U);
  EXPECT_EQ(run_cuvier(folder_, "check out/journal.jsonl --assume algorithm-1").exit_code, 0);
}

TEST_F(Validate, ShowsTheSmallestContradiction) {
  const Ended ended =
      run("--model algorithm-1 --oracle sim:four.json,tie_break=linear -n 30 --minimize --out out");
  EXPECT_EQ(ended.exit_code, 11) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("contradicted: "));
  EXPECT_THAT(ended.out, HasSubstr("Asked again 3 times, wrong 3 times.\n"));
  EXPECT_THAT(ended.out, HasSubstr("  starts on SMs 0, 1  starts on SMs 0, 2\n"));
  const Probe small = probe_from_json(parse_json(folder_.read("out/smallest.json"), ""), "");
  EXPECT_EQ(small.kernels.size(), 1U);
  EXPECT_EQ(small.kernels[0].blocks, 2);
  EXPECT_EQ(run_cuvier(folder_, "check out/journal.jsonl --assume algorithm-1").exit_code, 11);
}

/// What is asked, seen and concluded is the same for any number of processes.
TEST_F(Validate, AsksSeveralProcessesAtOnce) {
  const auto answers = [&](const std::string& command, int oracles) {
    const std::string out = fmt::format("{}-{}", command.substr(0, 5), oracles);
    const Ended ended =
        run_cuvier(folder_, fmt::format("{} --oracle 'exec:{} four.json' --oracles {} --out {}",
                                        command, CUVIER_STAND_IN, oracles, out));
    EXPECT_THAT(ended.exit_code, AnyOf(ambiguous, refuted)) << ended.err;
    return folder_.read(out + "/journal.jsonl");
  };
  const std::string validation = "validate --model selection=first_fit -n 110";
  EXPECT_EQ(answers(validation, 3), answers(validation, 1));
  EXPECT_EQ(read_recordings(folder_.path("valid-3/journal.jsonl")).recordings.size(), 110U);
  const std::string inference = "infer --repeat 2 --max-probes 4";
  EXPECT_EQ(answers(inference, 3), answers(inference, 1));
  EXPECT_EQ(read_recordings(folder_.path("infer-3/journal.jsonl")).recordings.size(), 12U);
}

/// What was asked beside the probe that contradicts what was found is dropped.
TEST_F(Validate, ConfirmsByWhatSeveralProcessesAnswer) {
  const auto answers = [&](int oracles) {
    const std::string out = fmt::format("out-{}", oracles);
    const Ended ended = run_cuvier(
        folder_, fmt::format("infer --oracle 'exec:python3 {}/docs/howto/oracle.py' --oracles {} "
                             "--assume algorithm-1 --max-probes 31 --out {}",
                             CUVIER_SOURCE_DIR, oracles, out));
    EXPECT_EQ(ended.exit_code, refuted) << ended.err;
    return folder_.read(out + "/journal.jsonl");
  };
  const std::string of_one = answers(1);
  EXPECT_THAT(of_one, Not(HasSubstr(R"("name":"p31")")));
  EXPECT_EQ(answers(3), of_one);
}

TEST_F(Validate, SaysOfWhatThereAreNoSeveral) {
  EXPECT_THAT(complaint("--model algorithm-1 --oracles 2 --oracle sim:four.json"),
              HasSubstr("--oracles is for programs and GPUs"));
  EXPECT_THAT(complaint("--model algorithm-1 --oracles 2 --oracle gpu:1"), HasSubstr("is one GPU"));
}

TEST_F(Validate, TellsPrograms) {
  const Ended ended =
      run("--model algorithm-1 --oracle sim:four.json,bfa -n 30 --minimize --json --out out");
  EXPECT_EQ(ended.exit_code, 11) << ended.err;
  const Json json = parse_json(ended.out, "stdout");
  EXPECT_EQ(json["agrees"], false);
  EXPECT_EQ(json["sequences"], 30);
  EXPECT_EQ(json["wrong"], json["contradictions"].size());
  EXPECT_EQ(json["generators"]["paper_random"]["asked"], 15);
  EXPECT_GT(json["most_disagreement"], json["wrong"].get<double>() / 30);
  EXPECT_EQ(json["smallest"]["disagreed_again"], 3);
  EXPECT_EQ(json["smallest"]["one_minimal"], true);
}

TEST_F(Validate, TakesAModelFile) {
  folder_.write("model.json", R"({"schema":1,"mechanism":{"queue":"skip_ahead"}})");
  const Ended ended =
      run("--model model.json --oracle sim:four.json,queue=skip_ahead -n 20 --out out");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
}

/// Its mechanism may hold there all the same.
TEST_F(Validate, SaysThatAModelIsOfAnotherGpu) {
  const auto write_model = [&](const std::string& name) {
    folder_.write("model.json", R"({"schema":1,"mechanism":{"queue":"fifo"},"device":)" +
                                    samples::with(samples::device_text, "four SMs", name) + "}");
  };
  const std::string model = "--model model.json";
  const std::string of_another =
      "cuvier: model.json: is a model of five SMs; here it is held to what four SMs does\n";
  write_model("five SMs");
  const Ended other = run(model + " --oracle sim:four.json -n 5 --out other");
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_EQ(other.err, of_another);
  const std::string journal = " other/journal.jsonl";
  EXPECT_EQ(run_cuvier(folder_, "check " + model + journal).err, of_another);
  EXPECT_THAT(run_cuvier(folder_, "audit " + model + journal + " --assume algorithm-1").err,
              HasSubstr(of_another));
  write_model("four SMs");
  EXPECT_EQ(run(model + " --oracle sim:four.json -n 5 --out same").err, "");
}

TEST_F(Validate, WritesNothingHereUnlessToldTo) {
  const samples::Folder temporary;
  ::setenv("TMPDIR", temporary.path("").c_str(), 1);
  const Ended ended = run("--model algorithm-1 --oracle sim:four.json -n 5");
  ::unsetenv("TMPDIR");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\nanswers: " + temporary.path("") + "cuvier-validation-"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path(""))) {
    EXPECT_FALSE(entry.is_directory()) << entry.path();
  }
}

TEST_F(Validate, AFailedOracleCostsNoAnswer) {
  const std::string refusing =
      fake::hello() + fake::next_request + fake::refuse("internal", "confused");
  EXPECT_THAT(complaint("--model algorithm-1 --oracle " + fake::shell_quoted("exec:" + refusing) +
                            " --out out",
                        3),
              HasSubstr("internal: confused; the answers so far are in out/journal.jsonl"));
}

TEST_F(Validate, AnInterruptEndsItInOrder) {
  // The hello and five lines more, then what Ctrl-C would send. Of the five each may be an answer,
  // or the hello after one that left blocks waiting.
  const std::string interrupting = CUVIER_STAND_IN
      " four.json | while read -r line; do echo \"$line\"; n=$((n + 1)); "
      "[ $n -ne 6 ] || kill -INT $PPID; done";
  const Ended ended = run("--model algorithm-1 -n 10000 --out out --oracle " +
                          fake::shell_quoted("exec:" + interrupting));
  EXPECT_EQ(ended.exit_code, 10) << ended.err;
  const auto asked = read_recordings(folder_.path("out/journal.jsonl")).recordings.size();
  EXPECT_GE(asked, 3U);
  EXPECT_LT(asked, 10'000U);
  EXPECT_THAT(ended.out, HasSubstr("interrupted after " + std::to_string(asked) +
                                   " of 10,000 sequences: agreed: all of " + std::to_string(asked) +
                                   " sequences went"));
}

TEST_F(Validate, BadInputIsOneLine) {
  EXPECT_THAT(complaint("--model nobody --oracle sim:four.json"), HasSubstr("\"nobody\""));
  EXPECT_THAT(complaint("--model algorithm-1 --oracle sim:four.json -n 0"),
              HasSubstr("-n: \"0\" is no whole number"));
  EXPECT_THAT(
      complaint("--model algorithm-1 --oracle recording:" CUVIER_SOURCE_DIR "/corpus/table2.jsonl"),
      HasSubstr("answers what was recorded and no random sequences; cuvier check FILE "
                "--model MODEL"));
  run("--model algorithm-1 --oracle sim:four.json -n 1 --out out");
  EXPECT_THAT(complaint("--model algorithm-1 --oracle sim:four.json -n 1 --out out"),
              HasSubstr("holds earlier answers already; name another folder"));
}

TEST_F(Validate, HelpTeaches) {
  EXPECT_THAT(run("--help").out, HasSubstr("Examples:\n  cuvier validate "));
}

}  // namespace
}  // namespace cuvier
