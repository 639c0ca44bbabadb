// cuvier oracle-check, the oracle to copy, and how oracles end with us.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/cuvier_run.h"
#include "tests/fake_oracle.h"
#include "tests/is_gone.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class OracleChecking : public ::testing::Test {
 protected:
  /// docs/howto/oracle.py, with something done otherwise.
  std::string copied(const std::string& from = "", const std::string& to = "") {
    std::ifstream file(CUVIER_SOURCE_DIR "/docs/howto/oracle.py");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    folder_.write("oracle.py", samples::with(text, from, to));
    return "'exec:python3 oracle.py'";
  }
  std::string forgetful() { return copied("list(gpu.run(", "list(Gpu().run("); }

  Ended check(const std::string& oracle) { return run_cuvier(folder_, "oracle-check " + oracle); }

  /// By the signal, once the oracle said who it is, which never answers then.
  Ended ended_by(const std::string& signal, const std::string& arguments) {
    return run_interrupted(folder_, arguments, "test -s pid", signal);
  }

  bool oracle_is_gone() { return is_gone_soon(std::stoi(folder_.read("pid"))); }

  samples::Folder folder_;
};

TEST_F(OracleChecking, TheOneToCopyIsAsItShouldBe) {
  const Ended ended = check(copied());
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("(minimal 1)"), HasSubstr("as the one before did"),
                               HasSubstr("outlives a probe"), HasSubstr("is refused"),
                               HasSubstr("as documented: 128 blocks"),
                               HasSubstr(" ms in the median"), Not(HasSubstr("correct "))));
}

/// They answer as one after the other does, or it is told which probes did not.
TEST_F(OracleChecking, LooksAtSessionsThatAreHeldAtOnce) {
  const auto check_with = [&](const std::string& cursor) {
    copied();
    std::string text = folder_.read("oracle.py");
    const std::pair<std::string, std::string> changes[] = {
        {R"("channels")", R"("sessions": 3, "channels")"},
        {"gpu = Gpu()\nfor", "gpus = {}\nfor"},
        {"gpu = Gpu()  #", "gpus[session] = Gpu(); gpus[session].cursor = " + cursor + "  #"},
        {"list(gpu.run(", "list(gpus[session].run("},
        {"dumps(answer)", "dumps({**answer, 'session': session})"},
        {"    answer =", "    session = asked.get('session', 0)\n    answer ="}};
    for (const auto& [from, to] : changes) text = samples::with(text, from, to);
    folder_.write("oracle.py", text);
    return check("'exec:python3 oracle.py'");
  };
  const Ended good = check_with("0");
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("as the one before did"));
  const Ended counting = check_with("len(gpus) - 1");
  EXPECT_EQ(counting.exit_code, 11) << counting.out << counting.err;
  EXPECT_THAT(counting.out, HasSubstr("otherwise than the one before: "));
}

TEST_F(OracleChecking, TellsWhatIsNotAsItShouldBe) {
  EXPECT_THAT(check(forgetful()).out,
              HasSubstr("none was seen; right, if its scheduler keeps none"));
  const Ended lax = check(copied("elif all(", "elif True or all("));
  EXPECT_EQ(lax.exit_code, 11);
  EXPECT_THAT(lax.out, HasSubstr("should be refused as invalid_probe; it "));
  const std::string others =
      "    import os; open('n', 'a').write('n'); cursor = os.stat('n').st_size";
  const Ended odd = check(copied("    cursor = 0", others));
  EXPECT_EQ(odd.exit_code, 11) << odd.out;
  EXPECT_THAT(odd.out, HasSubstr("otherwise than the one before: "));
  const Ended more = check(copied(R"("max_warps_per_sm": 48)", R"("max_warps_per_sm": 64)"));
  EXPECT_EQ(more.exit_code, 11);
  EXPECT_THAT(more.out, AllOf(HasSubstr("correct max_warps_per_sm: 48 instead of 64"),
                              Not(HasSubstr("should be: correct"))));
}

TEST_F(OracleChecking, AddsToNoAnswersThatAreThere) {
  folder_.write("four.json", samples::device_text);
  run_cuvier(folder_,
             "infer --oracle sim:four.json --assume algorithm-1 --max-probes 2 --out found");
  const std::string journal = folder_.read("found/journal.jsonl");
  const Ended ended = check("sim:four.json --out found");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_EQ(ended.err,
            "cuvier: found/journal.jsonl: holds earlier answers already; name another folder\n");
  EXPECT_EQ(folder_.read("found/journal.jsonl"), journal);
}

TEST_F(OracleChecking, AnInferenceNamesAnOracleThatStartsEachProbeAnew) {
  const Ended ended = run_cuvier(folder_,
                                 "infer --out out --assume selection=round_robin "
                                 "--assume cursor_reset=never --oracle " +
                                     forgetful());
  EXPECT_EQ(ended.exit_code, 11) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("the oracle seems to start each probe anew"),
                               HasSubstr("cuvier oracle-check looks closer"),
                               Not(HasSubstr("The nearest that was found"))));
}

TEST_F(OracleChecking, OraclesEndWithUs) {
  const std::string silent = "echo $$ >pid; exec sleep 600";
  const std::string mute = fake::hello() + "echo $$ >pid; exec sleep 600";
  for (const char* signal : {"INT", "TERM"}) {
    const Ended starting = ended_by(signal, "oracle-check " + fake::shell_quoted("exec:" + silent));
    EXPECT_EQ(starting.exit_code, 10) << starting.err;
    EXPECT_THAT(starting.err, HasSubstr("interrupted"));
    EXPECT_TRUE(oracle_is_gone());
    folder_.write("pid", "");
    const Ended asking = ended_by(signal, "infer --out " + std::string(signal) + " --oracle " +
                                              fake::shell_quoted("exec:" + mute));
    EXPECT_EQ(asking.exit_code, 10) << asking.err;
    EXPECT_THAT(asking.out, HasSubstr("interrupted; --resume goes on"));
    EXPECT_TRUE(oracle_is_gone());
    folder_.write("pid", "");
  }
}

TEST_F(OracleChecking, APatienceOfOnesOwn) {
  const std::string mute = fake::hello() + "sleep 600";
  const Ended ended = run_cuvier(
      folder_, "oracle-check --oracle-timeout 0.05 " + fake::shell_quoted("exec:" + mute));
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_THAT(ended.err, HasSubstr("no answer to run within 50 ms; it was killed"));
}

TEST_F(OracleChecking, AFailureLeavesNothingBehind) {
  std::filesystem::create_directory(folder_.path("tmp"));
  const std::string dies = fake::hello() + fake::next_request + "exit 9";
  const Ended ended = run_script(
      folder_, "TMPDIR=tmp " CUVIER_BINARY " oracle-check " + fake::shell_quoted("exec:" + dies));
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path("tmp")));
}

}  // namespace
}  // namespace cuvier
