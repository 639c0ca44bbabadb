#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "probes/json_fields.h"
#include "probes/oracles/external.h"
#include "tests/fake_oracle.h"
#include "tests/is_gone.h"

namespace cuvier {
namespace {

using fake::one_kernel;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Patient enough for a loaded machine; the tests of deadlines choose their own.
ExternalOptions options() {
  ExternalOptions options;
  options.exit_grace = 1s;
  return options;
}

/// The message after the command's name of the Error(Kind::oracle) that `call` throws.
template <class Call>
std::string failure(const std::string& command, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::oracle) << error.what();
    const std::string message = error.what();
    const std::string prefix = "exec:" + one_line(command) + ": ";
    EXPECT_TRUE(message.starts_with(prefix)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message.substr(prefix.size());
  }
  return "no error";
}

std::string start_failure(const std::string& command) {
  return failure(command, [&] { ExternalOracle oracle(command, options()); });
}

/// What comes of the first run of an oracle that does this after hello.
std::string run_failure(const std::string& deed) {
  const std::string command = fake::hello() + fake::next_request + deed;
  ExternalOracle oracle(command, options());
  return failure(command, [&] { oracle.run(one_kernel(), 1); });
}

int open_descriptors() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    count += entry.exists() || entry.is_symlink() ? 1 : 0;
  }
  return count;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

TEST(ExternalOracleStart, FailsWhereTheProgramIsMissing) {
  EXPECT_EQ(start_failure("exec /nowhere/oracle 2>/dev/null"),
            "stopped without an answer to hello: it exited with code 127; its standard error may "
            "say why");
}

TEST(ExternalOracleStart, FailsWhereTheProgramDies) {
  EXPECT_EQ(start_failure("kill -SEGV $$"),
            "stopped without an answer to hello: it was killed by signal 11 (Segmentation fault); "
            "its standard error may say why");
}

TEST(ExternalOracleStart, RefusesBabble) {
  EXPECT_EQ(start_failure("echo 'Hello, world'; cat"),
            "not JSON: unexpected 'H' at column 1; mend it or remove it; its answer to hello was "
            "\"Hello, world\"");
  EXPECT_EQ(start_failure("echo; cat"),
            "not JSON: it ends too early, at column 1; write the rest or remove it; its answer to "
            "hello was \"\"");
  EXPECT_EQ(start_failure(fake::hello("[1]")), "must be an object, not an array");
  EXPECT_EQ(start_failure(fake::hello(R"({"type":"observation"})")),
            "\"observation\" is no answer to hello; it must be \"device\"");
  EXPECT_EQ(start_failure(fake::hello("{}")), "type: is missing; add it");
}

TEST(ExternalOracleStart, RefusesAnotherProtocol) {
  EXPECT_EQ(start_failure(fake::hello(
                samples::with(fake::device_message(), R"("protocol":1)", R"("protocol":2)"))),
            "speaks protocol 2, we speak 1; get a version of it that does too");
}

TEST(ExternalOracleStart, RefusesABrokenIntroduction) {
  EXPECT_EQ(start_failure(fake::hello(fake::device_message(R"("warp_slot")"))),
            "channels: must list \"sm\", which every oracle observes");
  EXPECT_EQ(start_failure(fake::hello(
                samples::with(fake::device_message(), R"("version":"1.0")", R"("version":1)"))),
            "oracle.version: must be a string, not 1");
  EXPECT_EQ(
      start_failure(fake::hello(samples::with(fake::device_message(), R"("sms":4)", R"("sms":0)"))),
      "device.sms: 0 is too small; at least 1");
}

TEST(ExternalOracleStart, RefusesABrokenOpening) {
  const auto fault = [](const std::string& from, const std::string& to) {
    return start_failure(fake::hello(samples::with(fake::opened_on(1), from, to)));
  };
  EXPECT_EQ(fault(R"("blocks":1)", R"("blocks":2)"),
            "opening: says of 1 of the 2 blocks of \"k\" on which SM they went; an opening must of "
            "each");
  EXPECT_EQ(fault(R"([{"launch":"k"}])", R"([{"launch":"k"},{"release":["k"]}])"),
            "opening.observation.steps: has 1 entries for a script of 2 actions");
  EXPECT_EQ(fault(R"([{"launch":"k"}]},"observation":{"steps":[)",
                  R"([{"launch":"k"},{"release":["k"]}]},"observation":{"steps":[{"started":{}},)"),
            "opening: its script must only launch kernels, since it is an opening");
  EXPECT_EQ(fault(R"("sm":[1])", R"("sm":[4])"),
            "opening.observation.steps[0].started.k.sm[0]: 4 is too large; at most 3");
  EXPECT_EQ(fault(R"("registers":32)", R"("registers":300)"),
            "opening.probe: kernels.k.registers: 300 is over the device's 255");
  EXPECT_EQ(fault(R"("observation")", R"("observed")"), "opening.observation: is missing; add it");
  EXPECT_EQ(fault(R"("observation")", R"("why":"","observation")"),
            "opening.why: is no field here; there are probe, observation");
}

TEST(ExternalOracleStart, PassesOnWhyTheOracleCannot) {
  EXPECT_EQ(
      start_failure(fake::hello(R"({"type":"error","code":"internal","message":"no GPU\nfound"})")),
      "cannot start: no GPU found");
}

TEST(ExternalOracleRun, RefusesBabble) {
  EXPECT_EQ(run_failure("echo '{\"type\":'; cat"),
            "not JSON: it ends too early, at column 9; write the rest or remove it; its answer to "
            "run was \"{\\\"type\\\":\"");
  EXPECT_EQ(run_failure("echo '{\"type\":\"pong\",\"id\":1}'; cat"),
            "\"pong\" is no answer to run; it must be \"observation\" or \"error\"");
}

TEST(ExternalOracleRun, RefusesAnAnswerToAnotherRequest) {
  EXPECT_EQ(run_failure("id=7; " + fake::observe(fake::run_on(0)) + "cat"),
            "answers request 7, but 1 was asked");
  EXPECT_EQ(run_failure("id=7; " + fake::refuse("unsupported", "too many") + "cat"),
            "answers request 7, but 1 was asked");
  EXPECT_EQ(run_failure(R"(echo '{"type":"error","code":"timeout","message":"late"}'; cat)"),
            "id: is missing; add it");
}

TEST(ExternalOracleRun, RefusesHalfAnAnswer) {
  EXPECT_EQ(run_failure(fake::observe("") + "cat"), "runs: has 0 entries for 1 repetitions");
  EXPECT_EQ(run_failure(fake::observe(R"({"steps":[]})") + "cat"),
            "runs[0].steps: has 0 entries for a script of 1 actions");
  EXPECT_EQ(run_failure(fake::observe(fake::run_on(4)) + "cat"),
            "runs[0].steps[0].started.k.sm[0]: 4 is too large; at most 3");
}

TEST(ExternalOracleRun, RefusesAnAnswerWithoutAPromisedChannel) {
  const std::string command = fake::hello(fake::device_message(R"("sm","warp_slot")")) +
                              fake::next_request + fake::observe(fake::run_on(0));
  ExternalOracle oracle(command, options());
  EXPECT_EQ(failure(command, [&] { oracle.run(one_kernel(), 1); }),
            "runs[0]: \"k\" has no warp_slot, a channel that the oracle lists");
}

TEST(ExternalOracleRun, NoticesADeathInTheMiddleOfAnAnswer) {
  EXPECT_EQ(run_failure("printf '{\"type\":\"observation\",\"id\":1,\"ru'; exit 3"),
            "stopped in the middle of its answer to run: it exited with code 3; its standard error "
            "may say why");
}

TEST(ExternalOracleRun, TakesBrokenOraclesAtTheirWord) {
  EXPECT_EQ(run_failure(fake::refuse("internal", "lost the plot")), "internal: lost the plot");
  EXPECT_EQ(run_failure(fake::refuse("device_lost", "Xid 79")), "device_lost: Xid 79");
  EXPECT_EQ(run_failure(fake::refuse("tired", "come back later")), "tired: come back later");
}

TEST(ExternalOracleRun, DoesNotWaitForASilentOracle) {
  const std::string command = fake::hello() + "sleep 60";
  ExternalOptions short_options = options();
  short_options.run_timeout = 20ms;
  short_options.repeat_timeout = 5ms;
  ExternalOracle oracle(command, short_options);
  EXPECT_EQ(failure(command, [&] { oracle.run(one_kernel(), 3); }),
            "no answer to run within 30 ms; it was killed");
  short_options.hello_timeout = 20ms;
  EXPECT_EQ(failure("sleep 60", [&] { ExternalOracle("sleep 60", short_options); }),
            "no answer to hello within 20 ms; it was killed");
}

TEST(ExternalOracleRun, DoesNotWaitForAnOracleThatDoesNotRead) {
  const std::string command = fake::hello() + "sleep 60";
  ExternalOptions short_options = options();
  short_options.run_timeout = 50ms;
  ExternalOracle oracle(command, short_options);
  Probe probe = one_kernel();
  probe.name = std::string(1'000'000, 'n');  // more than a pipe holds
  EXPECT_EQ(failure(command, [&] { oracle.run(probe, 1); }),
            "no answer to run within 50 ms; it was killed");
}

TEST(ExternalOracleRun, BoundsALine) {
  const std::string command = fake::hello() + fake::next_request + "cat /dev/zero";
  ExternalOptions small = options();
  small.longest_line = 100'000;
  ExternalOracle oracle(command, small);
  EXPECT_EQ(failure(command, [&] { oracle.run(one_kernel(), 1); }),
            "its answer to run exceeds 100000 bytes without a newline; it was killed");
}

/// An oracle whose first life ends as told; the lives after it answer. It notes its lives.
std::string reborn(const samples::Folder& folder, const std::string& first_life,
                   const std::string& later_hello = fake::device_message()) {
  const std::string log = fake::shell_quoted(folder.path("lives"));
  return "if [ -e " + log + " ]; then echo again >> " + log + "; " + fake::hello(later_hello) +
         "else echo born >> " + log + "; " + fake::hello() + first_life + " exit 1; fi; " +
         "while true; do " + fake::next_request + fake::observe(fake::run_on(1)) + "done";
}

TEST(ExternalOracleRestart, FollowsADeathDuringARun) {
  for (const std::string& death :
       {std::string("kill -KILL $$;"), std::string("echo garbage;"),
        fake::refuse("device_lost", "gone"), fake::refuse("internal", "confused")}) {
    const samples::Folder folder;
    const std::string command = reborn(folder, fake::next_request + death);
    ExternalOracle oracle(command, options());
    EXPECT_NE(failure(command, [&] { oracle.run(one_kernel(), 1); }), "no error") << death;
    EXPECT_EQ(oracle.session(), 0);
    EXPECT_EQ(oracle.run(one_kernel(), 1).size(), 1u) << death;
    EXPECT_EQ(oracle.run(one_kernel(), 1).size(), 1u);
    EXPECT_EQ(oracle.session(), 1);
    EXPECT_EQ(folder.read("lives"), "born\nagain\n");
  }
}

TEST(ExternalOracleRestart, FollowsADeathBetweenRunsUnnoticed) {
  const samples::Folder folder;
  const std::string gone = folder.path("gone");
  const std::string command = reborn(folder, fake::next_request + fake::observe(fake::run_on(0)) +
                                                 "echo $$ > " + fake::shell_quoted(gone) + ";");
  ExternalOracle oracle(command, options());
  oracle.run(one_kernel(), 1);
  while (folder.read("gone").empty()) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(is_gone_soon(std::stoi(folder.read("gone"))));
  EXPECT_EQ(oracle.run(one_kernel(), 1).size(), 1u);
  EXPECT_EQ(oracle.session(), 1);
}

/// Which SMs belong together is found by trying: what everything so far rests on stays.
TEST(ExternalOracleRestart, KeepsTheGroupsOfSmsThatItFoundFirst) {
  const samples::Folder folder;
  const std::string grouped =
      samples::with(samples::device_text, R"("sms":4)", R"("sms":4,"gpc_of_sm":[0,1,0,1])");
  ExternalOracle oracle(
      reborn(folder, fake::next_request, fake::device_message(R"("sm")", grouped)), options());
  const Device before = oracle.device();
  EXPECT_THROW(oracle.run(one_kernel(), 1), Error);
  EXPECT_EQ(oracle.run(one_kernel(), 1).size(), 1U);
  EXPECT_EQ(oracle.device(), before);
}

TEST(ExternalOracleRestart, RefusesAnotherDevice) {
  const samples::Folder folder;
  const std::string other = samples::with(samples::device_text, R"("sms":4)", R"("sms":2)");
  const std::string command =
      reborn(folder, fake::next_request, fake::device_message(R"("sm")", other));
  ExternalOracle oracle(command, options());
  EXPECT_NE(failure(command, [&] { oracle.run(one_kernel(), 1); }), "no error");
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_THAT(failure(command, [&] { oracle.run(one_kernel(), 1); }),
                HasSubstr("its device is not the one of before the restart"));
    EXPECT_EQ(oracle.device().sms, 4);
    EXPECT_EQ(oracle.session(), 0);
  }
}

/// What is broken says nothing of the device, which a later restart may have to be compared with.
TEST(ExternalOracleRestart, KeepsTheDeviceWhereAnIntroductionIsBroken) {
  const samples::Folder folder;
  const std::string other = samples::with(samples::device_text, R"("sms":4)", R"("sms":2)");
  const std::string broken =
      samples::with(fake::device_message(R"("sm")", other), R"("oracle")", R"("gpu":{},"oracle")");
  const std::string command = reborn(folder, fake::next_request, broken);
  ExternalOracle oracle(command, options());
  EXPECT_NE(failure(command, [&] { oracle.run(one_kernel(), 1); }), "no error");
  EXPECT_EQ(failure(command, [&] { oracle.run(one_kernel(), 1); }), "gpu.uuid: is missing; add it");
  EXPECT_EQ(oracle.device().sms, 4);
}

TEST(ExternalOracleEnd, LeavesNothingBehind) {
  const int descriptors = open_descriptors();
  for (int round = 0; round < 3; ++round) {
    ExternalOracle oracle(fake::always(fake::observe(fake::run_on(0))), options());
    oracle.run(one_kernel(), 1);
  }
  run_failure("echo garbage");
  start_failure("exit 3");
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_FALSE(has_children());
}

TEST(ExternalOracleEnd, LetsTheOracleSayGoodbye) {
  const samples::Folder folder;
  const std::string log = fake::shell_quoted(folder.path("log"));
  { ExternalOracle oracle(fake::hello() + "read -r last; echo \"$last\" > " + log, options()); }
  EXPECT_EQ(folder.read("log"), "{\"type\":\"bye\"}\n");
}

TEST(ExternalOracleEnd, TakesGrandchildrenAlong) {
  const samples::Folder folder;
  const std::string pid = fake::shell_quoted(folder.path("pid"));
  ExternalOptions impatient = options();
  impatient.exit_grace = 20ms;
  // A grandchild that ignores the end of its input, as its parent does.
  {
    ExternalOracle oracle("sleep 60 & echo $! > " + pid + "; " + fake::hello() + "wait", impatient);
  }
  EXPECT_TRUE(is_gone_soon(std::stoi(folder.read("pid"))));
  EXPECT_FALSE(has_children());
}

TEST(ExternalOracleEnd, TakesGrandchildrenOfTheDeadAlong) {
  const samples::Folder folder;
  const std::string pid = fake::shell_quoted(folder.path("pid"));
  {
    ExternalOracle oracle("sleep 60 & echo $! > " + pid + "; " + fake::hello() + "exit 0",
                          options());
  }
  EXPECT_TRUE(is_gone_soon(std::stoi(folder.read("pid"))));
}

TEST(ExternalOracleEnd, DoesNotDieOfSigpipe) {
  // The reader is gone for certain: it closed its input before it introduced itself.
  const std::string command = "read -r request; exec 0<&-; echo " +
                              fake::shell_quoted(fake::device_message()) + "; exec sleep 60";
  ExternalOptions impatient = options();
  impatient.exit_grace = 20ms;
  ASSERT_NE(std::signal(SIGPIPE, SIG_DFL), SIG_ERR);
  ExternalOracle oracle(command, impatient);
  EXPECT_THAT(failure(command, [&] { oracle.run(one_kernel(), 1); }),
              HasSubstr("stopped without an answer to run"));
  sigset_t pending;
  sigpending(&pending);
  EXPECT_FALSE(sigismember(&pending, SIGPIPE));
}

}  // namespace
}  // namespace cuvier
