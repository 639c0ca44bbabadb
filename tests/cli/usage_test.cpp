// Bad usage and input: one clear line, and its exit code.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "tests/cli/cuvier_test.h"
#include "tests/fake_oracle.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

class Usage : public CuvierTest {
 protected:
  Usage() {
    folder_.write("probe.json", samples::probe_text);
    folder_.write("mine.jsonl", std::string(R"({"type":"device","source":"me","device":)") +
                                    samples::device_text + "}\n");
  }
};

TEST_F(Usage, HelpTeaches) {
  for (const std::string command : {"infer", "check", "verify", "predict", "run"}) {
    const Ended ended = run_cuvier(folder_, command + " --help");
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_EQ(ended.err, "");
    EXPECT_THAT(ended.out, HasSubstr("Examples:\n  cuvier " + command + " "));
  }
  const Ended all = run_cuvier(folder_, "--help");
  EXPECT_EQ(all.exit_code, 0);
  for (const char* command : {"infer", "check", "verify", "predict", "run", "axes", "devices"}) {
    EXPECT_THAT(all.out, HasSubstr(std::string("\n  ") + command + " "));
  }
  EXPECT_THAT(run_cuvier(folder_, "infer --help").out, HasSubstr("sim:DEVICE"));
}

TEST_F(Usage, Version) {
  const Ended ended = run_cuvier(folder_, "--version");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.out,
              MatchesRegex("cuvier [0-9]+\\.[0-9]+\\.[0-9]+, Z3 [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Usage, Commands) {
  EXPECT_EQ(complaint(""), "name a command; cuvier --help lists them");
  EXPECT_THAT(complaint("guess"),
              StartsWith("no command is called \"guess\"; there are infer, invent, "));
  EXPECT_EQ(complaint("axes --bogus"),
            "\"--bogus\" is no option or argument here (see cuvier axes --help)");
}

TEST_F(Usage, OptionsThatAreGivenTooOftenOrNotEnough) {
  EXPECT_EQ(complaint("predict --device t4 --device t4 probe.json"),
            "--device: given 2 times; once is enough (see cuvier predict --help)");
  EXPECT_EQ(complaint("predict --device"),
            "--device: its value is missing (see cuvier predict --help)");
  EXPECT_EQ(complaint("minimize probe.json --between bfa"),
            "--between: takes 2 values, not 1 (see cuvier minimize --help)");
  EXPECT_EQ(complaint("predict --json=foo --device t4 probe.json"),
            "--json takes no value (see cuvier predict --help)");
  EXPECT_EQ(complaint("completion basch"),
            "SHELL: \"basch\" (did you mean bash?) is none of bash, fish, zsh (see cuvier "
            "completion --help)");
  EXPECT_THAT(complaint("check mine.jsonl ./mine.jsonl"), HasSubstr("is named twice"));
}

TEST_F(Usage, CommandsOfTwoWordsAreNamedAsTheyAreTyped) {
  EXPECT_THAT(complaint("guess"), HasSubstr(", fleet submit, "));
  EXPECT_EQ(complaint("fleet submit --local 2"),
            "--out is required (see cuvier fleet submit --help)");
  EXPECT_THAT(complaint("fleet submit --out f --local 2 -- --account=x"),
              HasSubstr("leave one of them out (see cuvier fleet submit --help)"));
}

TEST_F(Usage, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(complaint("check \"$(printf 'a\\033[1m\\nb')\""),
            "a\\x1b[1m\\x0ab: cannot be opened: No such file or directory");
}

TEST_F(Usage, HelpIsACommand) {
  EXPECT_EQ(run_cuvier(folder_, "help").out, run_cuvier(folder_, "--help").out);
  EXPECT_EQ(run_cuvier(folder_, "help fits").out, run_cuvier(folder_, "fits --help").out);
  EXPECT_THAT(complaint("help guess"), StartsWith("no command is called \"guess\"; there are "));
}

TEST_F(Usage, WhatIsMisspeltByALetterOrTwo) {
  EXPECT_THAT(complaint("infr"), StartsWith("no command is called \"infr\" (did you mean infer?)"));
  EXPECT_EQ(complaint("infer --orcale sim:t4"),
            "\"--orcale\" (did you mean --oracle?) is no option or argument here (see cuvier infer "
            "--help)");
  EXPECT_THAT(complaint("predict --device rtx3900 probe.json"),
              StartsWith("no device is called \"rtx3900\" (did you mean rtx3090?); known are "));
  EXPECT_THAT(complaint("predict --device t4 --assume selecton=bfa probe.json"),
              StartsWith("no axis is called \"selecton\" (did you mean selection?); there are "));
  EXPECT_THAT(
      complaint("predict --device t4 --assume selection=fewest_warp probe.json"),
      StartsWith("selection has no value \"fewest_warp\" (did you mean fewest_warps?); it "));
}

TEST_F(Usage, DevicesInAnyCase) {
  const Ended named = run_cuvier(folder_, "predict --device rtx3090 probe.json");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(run_cuvier(folder_, "predict --device RTX3090 probe.json").out, named.out);
}

TEST_F(Usage, OptionsThatAreMissingOrMakeNoSenseTogether) {
  EXPECT_EQ(complaint("infer --oracle sim:t4"), "--out is required (see cuvier infer --help)");
  EXPECT_EQ(complaint("check"), "FILE.jsonl is required (see cuvier check --help)");
  EXPECT_THAT(complaint("check mine.jsonl --model m.json --assume queue=fifo"),
              HasSubstr("excludes"));
  EXPECT_THAT(complaint("predict --device t4 --model m.json --assume queue=fifo probe.json"),
              HasSubstr("excludes"));
}

TEST_F(Usage, NumbersAreInRange) {
  const std::string infer = "infer --oracle sim:t4 --out out ";
  EXPECT_THAT(complaint(infer + "--max-probes 0"),
              StartsWith("--max-probes: \"0\" is no whole number from 1 to 1000000 (see"));
  EXPECT_THAT(complaint(infer + "--max-probes many"), HasSubstr("--max-probes"));
  EXPECT_THAT(complaint(infer + "--repeat -1"),
              HasSubstr("--repeat: \"-1\" is no whole number from"));
  for (const std::string seconds : {"0", "-1", "nan", "inf", "1e999", "1s", ""}) {
    EXPECT_EQ(complaint(infer + "--time-limit '" + seconds + "'"),
              "--time-limit: \"" + seconds +
                  "\" is no number of seconds above 0 (see cuvier infer --help)");
  }
  for (const std::string seed : {"-3", "18446744073709551616", "1.5", "0x10", "many"}) {
    EXPECT_EQ(complaint(infer + "--seed " + seed),
              "--seed: \"" + seed +
                  "\" is no whole number from 0 to 18446744073709551615 (see cuvier infer --help)");
  }
  EXPECT_THAT(complaint("validate --model bfa --oracle sim:t4 -n 0"),
              StartsWith("-n: \"0\" is no whole number from 1 to 10000000"));
}

TEST_F(Usage, UnknownNames) {
  EXPECT_THAT(complaint("predict --device rtx9999 probe.json"),
              StartsWith("no device is called \"rtx9999\"; known are a100, "));
  EXPECT_THAT(complaint("predict --device t4 --assume colour=red probe.json"),
              StartsWith("no axis is called \"colour\"; there are queue, "));
  EXPECT_EQ(
      complaint("infer --oracle sim:t4 --out out --assume queue=lifo"),
      "queue has no value \"lifo\" (did you mean fifo?); it has fifo, skip_ahead, or a formula");
  EXPECT_THAT(
      complaint("check mine.jsonl --assume algorithm-2"),
      StartsWith(
          "no hypothesis is called \"algorithm-2\" (did you mean algorithm-1?); there are "));
  EXPECT_EQ(complaint("run --oracle gpu:first probe.json"),
            "\"gpu:first\" names no GPU; write gpu or gpu:N, N its number");
  EXPECT_THAT(complaint("run --oracle cpu probe.json"),
              StartsWith("\"cpu\" is no oracle; write one of sim:DEVICE[,AXIS=VALUE...], exec:"));
  EXPECT_THAT(complaint("run --oracle sim:t4,queue probe.json"),
              StartsWith("\"queue\" is an axis, not a hypothesis; write queue=VALUE"));
}

TEST_F(Usage, WhatTheDeviceCannotShow) {
  EXPECT_EQ(complaint("check mine.jsonl --assume tie_break=gpc_major"),
            "tie_break=gpc_major needs gpc_of_sm, which the device does not give: use a device "
            "file that has it");
  EXPECT_THAT(complaint("predict --device t4 --assume hierarchy=gpc probe.json"),
              StartsWith("hierarchy=gpc needs gpc_of_sm, which NVIDIA Tesla T4 does not give"));
  EXPECT_THAT(complaint("predict --device four.json --assume tie_break=learned probe.json"),
              StartsWith("tie_break=learned needs an \"order\""));
}

TEST_F(Usage, Files) {
  EXPECT_EQ(complaint("check nowhere.jsonl"),
            "nowhere.jsonl: cannot be opened: No such file or directory");
  EXPECT_EQ(complaint("predict --device t4 nowhere.json"),
            "nowhere.json: cannot be opened: No such file or directory");
  folder_.write("torn.json", std::string(samples::probe_text).substr(0, 70));
  EXPECT_THAT(complaint("predict --device t4 torn.json"),
              StartsWith("torn.json: not JSON: it ends too early, at column 71"));
  folder_.write("torn.jsonl", folder_.read("mine.jsonl") + R"({"type":"recording","name":)");
  EXPECT_THAT(complaint("check torn.jsonl"), StartsWith("torn.jsonl:2: not JSON"));
  EXPECT_THAT(complaint("check mine.jsonl --model probe.json"),
              StartsWith("probe.json: schema: is missing"));
  std::filesystem::create_symlink("loop", folder_.path("loop"));
  EXPECT_EQ(complaint("report loop"), "loop/inference-by-map: Too many levels of symbolic links");
}

TEST_F(Usage, AProbeOverTheDevicesLimits) {
  folder_.write("big.json",
                R"({"name":"big","kernels":{"k1":{"blocks":1,"threads":2048,"registers":32}},)"
                R"("script":[{"launch":"k1"}]})");
  EXPECT_THAT(complaint("predict --device t4 big.json"),
              StartsWith("big.json: kernels.k1.threads: "));
  EXPECT_THAT(complaint("run --oracle sim:t4 big.json"),
              StartsWith("big.json: kernels.k1.threads: "));
}

TEST_F(Usage, RecordingsOfTwoDevicesAreCheckedApart) {
  folder_.write("other.jsonl", samples::with(folder_.read("mine.jsonl"), "\"max_blocks_per_sm\":16",
                                             "\"max_blocks_per_sm\":32"));
  EXPECT_EQ(complaint("check mine.jsonl other.jsonl"),
            "other.jsonl: is of another device than mine.jsonl: max_blocks_per_sm differs; check "
            "them apart");
}

TEST_F(Usage, OraclesThatFail) {
  EXPECT_THAT(complaint("run --oracle \"exec:echo garbage\" probe.json", oracle_failed),
              StartsWith("exec:echo garbage: "));
  EXPECT_THAT(complaint("run --oracle exec:false probe.json", oracle_failed),
              StartsWith("exec:false: "));
  EXPECT_THAT(complaint("infer --oracle exec:false --out out", oracle_failed),
              StartsWith("exec:false: "));
  EXPECT_THAT(complaint("run --oracle recording:mine.jsonl probe.json", oracle_failed),
              HasSubstr("probe \"sample\" was not recorded; it holds none (not_recorded)"));
  const std::string babbles =
      folder_.write("babbles.sh", fake::hello() + fake::next_request + "echo what?\n");
  EXPECT_THAT(complaint("run --oracle 'exec:sh " + babbles + "' probe.json", oracle_failed),
              HasSubstr("not JSON"));
  const std::string dies =
      folder_.write("dies.sh", fake::hello() + fake::next_request + "exit 9\n");
  EXPECT_THAT(complaint("run --oracle 'exec:sh " + dies + "' probe.json", oracle_failed),
              HasSubstr("exited with code 9"));
}

TEST_F(Usage, AGpuWithoutItsRunnerSaysHowToGetOne) {
  std::filesystem::copy_file(CUVIER_BINARY, folder_.path("cuvier"));
  // A place that nobody can look at, whoever it is.
  std::filesystem::create_symlink("loop", folder_.path("loop"));
  const Ended ended =
      run_script(folder_, "PATH=$PWD/loop:/nowhere ./cuvier run --oracle gpu probe.json");
  EXPECT_EQ(ended.exit_code, oracle_failed);
  EXPECT_THAT(
      ended.err,
      StartsWith("cuvier: --oracle gpu needs cuvier-gpu, which is neither beside cuvier nor "
                 "on the PATH: it is built where CMake finds nvcc"));
}

TEST_F(Usage, AnInferenceThatGoesOnWithAnotherOracleIsToldSoFirst) {
  const std::string rest = " --assume algorithm-1 --max-probes 2 --out out";
  run_cuvier(folder_, "infer --oracle sim:four.json" + rest);
  const Ended ended =
      run_cuvier(folder_, "infer --resume --oracle 'exec:" CUVIER_STAND_IN " four.json'" + rest);
  EXPECT_THAT(ended.out, HasSubstr("these were given by sim:four.json; unless the oracle is the "
                                   "same, name another folder\n"));
  for (const std::string command : {"infer", "invent"}) {
    EXPECT_EQ(complaint(command + " --resume --oracle sim:four.json,bfa" + rest),
              "out/journal.jsonl: holds answers of sim:four.json, not of sim:four.json,bfa; ask "
              "that, or name another folder");
  }
}

TEST_F(Usage, AnInferenceReplacesNoModelOfAnother) {
  folder_.write("out/model.json", "mine");
  EXPECT_EQ(complaint("infer --oracle sim:four.json --out out"),
            "out/model.json: lies there without the out/journal.jsonl that it follows from; name "
            "another folder");
  EXPECT_EQ(folder_.read("out/model.json"), "mine");
}

TEST_F(Usage, QuietTellsNoProgressAndWhatIsFound) {
  const std::string refuted =
      "infer --oracle sim:four.json,bfa --assume algorithm-1,selection=first_fit --out ";
  EXPECT_THAT(run_cuvier(folder_, refuted + "a").out, HasSubstr("takes a few more probes"));
  const Ended quiet = run_cuvier(folder_, refuted + "b --quiet");
  EXPECT_THAT(quiet.out, HasSubstr("hypotheses  none of 2 left\n"));
  EXPECT_THAT(quiet.out, Not(HasSubstr("takes a few more probes")));
  EXPECT_THAT(quiet.out, Not(HasSubstr("began a new session")));
}

TEST_F(Usage, AnInferenceThatIsNotThereCannotGoOn) {
  EXPECT_EQ(complaint("infer --oracle sim:four.json --out nowhere --resume"),
            "nowhere: is not there: name the folder of an inference that is to go on, or leave out "
            "--resume to begin one");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("nowhere")));
}

TEST_F(Usage, AnInferenceThatIsRefutedMentionsRepeat) {
  const std::string one = "infer --oracle sim:four.json,bfa --assume algorithm-1 --max-probes 3 ";
  EXPECT_THAT(run_cuvier(folder_, one + "--out a").out,
              HasSubstr("\n--repeat 2 and another --out"));
  const Ended repeated = run_cuvier(folder_, one + "--out b --repeat 2");
  EXPECT_EQ(repeated.exit_code, refuted) << repeated.err;
  EXPECT_THAT(repeated.out, Not(HasSubstr("--repeat")));
}

TEST_F(Usage, AnInferenceWhoseOracleDiesSaysHowToGoOn) {
  const std::string dies =
      folder_.write("dies.sh", fake::hello() + fake::next_request + "exit 9\n");
  const Ended ended = run_cuvier(folder_, "infer --oracle 'exec:sh " + dies + "' --out out");
  EXPECT_EQ(ended.exit_code, oracle_failed);
  EXPECT_THAT(ended.err, HasSubstr("exited with code 9"));
  EXPECT_THAT(ended.err, HasSubstr("out/journal.jsonl: --resume goes on from there\n"));
}

}  // namespace
}  // namespace cuvier
