#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "probes/oracles/external.h"
#include "tests/fake_oracle.h"

namespace cuvier {
namespace {

using fake::one_kernel;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

/// Has a session that began on this SM, and answers.
std::string opened_on(int sm) {
  return fake::hello(fake::opened_on(sm)) + "while true; do " + fake::next_request +
         fake::observe(fake::run_on(0)) + "done; ";
}

int sm_of(const Answer& answer) { return answer.observation->steps[0].started[0].sm[0]; }

TEST(ExternalOracle, LearnsWhatItTalksTo) {
  const std::string command =
      fake::hello(fake::device_message(R"("sm","telepathy","start_ns")")) + fake::next_request;
  const ExternalOracle oracle(command);
  EXPECT_EQ(oracle.device(), samples::device());
  EXPECT_EQ(oracle.channels(), std::vector<std::string>{"start_ns"});
  EXPECT_TRUE(oracle.description().starts_with("exec:read -r request; "));
  EXPECT_TRUE(oracle.description().ends_with("(fake 1.0)"));
  EXPECT_TRUE(oracle.answers_anything());
}

TEST(ExternalOracle, LearnsWhatItsSessionBeganWith) {
  const samples::Folder folder;
  const std::string counter = fake::shell_quoted(folder.path("starts"));
  ExternalOracle oracle("if test -e " + counter + "; then " + opened_on(2) + "else touch " +
                        counter + "; " + opened_on(1) + "fi");
  using Latest = InitialObservation::Latest;
  ASSERT_TRUE(oracle.opening());
  EXPECT_EQ(oracle.opening()->latest(), (std::vector<Latest>{{1, 0, 5}}));
  oracle.run(one_kernel(), 1);
  ASSERT_TRUE(oracle.begin_session());
  ASSERT_TRUE(oracle.opening());
  EXPECT_EQ(oracle.opening()->latest(), (std::vector<Latest>{{2, 0, 5}}));
  EXPECT_FALSE(ExternalOracle(fake::hello() + fake::next_request).opening());
}

/// Where nobody saw in which state a session began, nothing of it counts; each next request begins
/// another, until one opens.
TEST(ExternalOracle, CountsNothingOfASessionThatDidNotOpen) {
  const std::string no_opening = fake::hello(
      samples::with(fake::device_message(), R"("oracle")", R"("opening":null,"oracle")"));
  const std::string answer = fake::next_request + fake::observe(fake::run_on(0));
  ExternalOracle oracle(no_opening + no_opening + answer + fake::hello(fake::opened_on(1)) +
                        answer + answer);
  EXPECT_TRUE(oracle.session_is_over());
  EXPECT_EQ(oracle.run(one_kernel(), 1)[0].exact, 0);
  EXPECT_TRUE(oracle.session_is_over());
  EXPECT_FALSE(oracle.opening());
  EXPECT_EQ(oracle.run(one_kernel(), 1)[0].exact, std::nullopt);
  EXPECT_EQ(oracle.session(), 2);
  EXPECT_TRUE(oracle.opening());
  EXPECT_EQ(oracle.run(one_kernel(), 1)[0].exact, std::nullopt);
  EXPECT_EQ(oracle.session(), 2);
}

TEST(ExternalOracle, AnswersEachRepetition) {
  ExternalOracle oracle(fake::always(fake::observe(fake::run_on(0) + "," + fake::run_on(3))));
  for (int round = 0; round < 3; ++round) {
    const std::vector<Answer> answers = oracle.run(one_kernel(), 2);
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(sm_of(answers[0]), 0);
    EXPECT_EQ(sm_of(answers[1]), 3);
    EXPECT_EQ(answers[1].facts, (std::vector<Fact>{{Fact::Kind::sm, 0, 0, {3}, {}}}));
  }
  EXPECT_EQ(oracle.session(), 0);
}

TEST(ExternalOracle, AsksAsTheProtocolSays) {
  const samples::Folder folder;
  const std::string keep = "echo \"$request\" >> " + fake::shell_quoted(folder.path("log")) + "; ";
  {
    ExternalOracle oracle(fake::hello(fake::device_message(R"("sm","shared_config")")) + keep +
                          fake::next_request + keep + fake::observe(fake::run_on(0)) +
                          "read -r request; " + keep);
    oracle.run(one_kernel(), 1);
  }
  EXPECT_EQ(folder.read("log"),
            R"({"type":"hello","protocol":1})"
            "\n"
            R"({"type":"run","id":1,"repeat":1,"channels":["sm","shared_config"],"probe":)"
            R"({"name":"one","kernels":{"k":{"blocks":1,"threads":32,"registers":32,"shared":0,)"
            R"("local":0}},"script":[{"launch":"k"}]}})"
            "\n"
            R"({"type":"bye"})"
            "\n");
}

/// A program that holds two sessions at once and does this in Python once two runs were asked.
std::string once_two_were_asked(const samples::Folder& folder, const std::string& deed) {
  folder.write("device.json",
               samples::with(fake::device_message(), R"("oracle")", R"("sessions":2,"oracle")"));
  const std::string program = folder.write("two.py", R"(
import json, os, sys
runs, device = [], json.load(open(sys.argv[1]))
def tell(answer, session):
    print(json.dumps({**answer, "session": session}), flush=True)
def observe(id, session):
    started = {"k": {"block": [0], "sm": [session]}}
    tell({"type": "observation", "id": id, "runs": [{"steps": [{"started": started}]}]}, session)
for line in sys.stdin:
    asked = json.loads(line)
    session = asked.get("session", 0)
    if asked["type"] == "hello":
        tell(device, session)
    elif asked["type"] == "run":
        runs.append((asked["id"], session))
    if len(runs) == 2:
)" + deed);
  return "exec python3 " + program + " " + folder.path("device.json");
}

/// What is wrong with a run of each of two sessions.
std::vector<std::string> failures_of_two(ExternalOracle& oracle) {
  std::vector<std::string> messages(2);
  oracle.hold_sessions(2, [&](Oracle& session, int number, const Oracle::Then&) {
    messages[number] = samples::message_of([&] { session.run(one_kernel(), 1); });
  });
  return messages;
}

/// The latest is answered first: who waited for the first would wait for ever. The SM is the
/// session's number.
TEST(ExternalOracle, HoldsSessionsAtOnceWhereTheProgramOffersThat) {
  const samples::Folder folder;
  ExternalOracle oracle(once_two_were_asked(folder, R"(
        for id, session in reversed(runs):
            observe(id, session)
        runs = []
)"));
  std::vector<int> sms;
  oracle.hold_sessions(2, [&](Oracle& session, int, const Oracle::Then& then) {
    for (int i = 0; i < 3; ++i) {
      then([&, sm = sm_of(session.run(one_kernel(), 1).front())] { sms.push_back(sm); });
    }
  });
  std::ranges::sort(sms);
  EXPECT_EQ(sms, (std::vector<int>{0, 0, 0, 1, 1, 1}));
}

TEST(ExternalOracle, TakesTheOfferOfMoreSessionsThanItHoldsAtOnce) {
  const std::string offer =
      samples::with(fake::device_message(), R"("oracle")", R"("sessions":128,"oracle")");
  EXPECT_EQ(ExternalOracle(fake::hello(offer) + fake::next_request).device(), samples::device());
}

TEST(ExternalOracle, SaysOfAllSessionsHowTheProgramEnded) {
  const samples::Folder folder;
  ExternalOracle oracle(once_two_were_asked(folder, "        os._exit(3)"));
  EXPECT_THAT(failures_of_two(oracle), Each(HasSubstr("it exited with code 3")));
}

/// Of a session that has no answer others know nothing.
TEST(ExternalOracle, GoesOnWithSessionsThatHaveAnswers) {
  const samples::Folder folder;
  ExternalOptions options;
  options.run_timeout = std::chrono::seconds(1);
  ExternalOracle oracle(once_two_were_asked(folder, R"(
        for id, session in runs:
            if session == 0:
                observe(id, session)
        runs = [(0, 1)]
)"),
                        options);
  EXPECT_THAT(failures_of_two(oracle),
              UnorderedElementsAre("no error", EndsWith(": no answer to run within 1000 ms")));
  EXPECT_EQ(sm_of(oracle.run(one_kernel(), 1)[0]), 0);
  EXPECT_EQ(oracle.session(), 0);
}

TEST(ExternalOracle, TakesARefusalAndGoesOn) {
  for (const char* code : {"invalid_probe", "unsupported"}) {
    const std::string command = fake::hello() + fake::next_request +
                                fake::refuse(code, "not this one") + fake::next_request +
                                fake::observe(fake::run_on(2)) + fake::next_request;
    ExternalOracle oracle(command);
    try {
      oracle.run(one_kernel(), 1);
      ADD_FAILURE() << code << " is no refusal";
    } catch (const OracleRefusal& refusal) {
      EXPECT_EQ(refusal.code(), code);
      EXPECT_EQ(refusal.what(), "exec:" + one_line(command) + ": not this one");
    }
    EXPECT_EQ(sm_of(oracle.run(one_kernel(), 1)[0]), 2);
    EXPECT_EQ(oracle.session(), 0);
  }
}

/// What ran and was not told left hidden state nobody knows where.
TEST(ExternalOracle, BeginsASessionAfterARefusalOfWhatRan) {
  const samples::Folder folder;
  const std::string in_folder = "cd " + fake::shell_quoted(folder.path("")) + "; ";
  const std::string refusal = fake::refuse("unsupported", "no such SM");
  const std::string observation = fake::observe(fake::run_on(2));
  for (const std::string& command :
       {// It says so, and is greeted again.
        fake::hello() + fake::next_request +
            samples::with(refusal, R"("code")", R"("ran":true,"code")") + fake::always(observation),
        // It may not know that, and is started again.
        in_folder + fake::always("test -e ran || { touch ran; " +
                                 fake::refuse("timeout", "did not settle") + "continue; }; " +
                                 observation)}) {
    ExternalOracle oracle(command);
    EXPECT_THROW(oracle.run(one_kernel(), 1), OracleRefusal);
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(sm_of(oracle.run(one_kernel(), 1)[0]), 2);
      EXPECT_EQ(oracle.session(), 1);
    }
  }
}

/// What waits runs when all is released, and leaves hidden state nobody knows where: that was the
/// session's last. An oracle that says where it begins has one to give.
TEST(ExternalOracle, BeginsASessionAfterARunThatLeftBlocksWaiting) {
  Probe probe = one_kernel();
  probe.kernels.push_back({"waits", 1, 32, 32, 0, 0, 0, std::nullopt});
  probe.script.push_back({1, {}});
  const std::string waits =
      R"({"steps":[{"started":{"k":{"block":[0],"sm":[2]}}},{"started":{}}]})";
  const std::string one = fake::next_request + fake::observe(waits);
  ExternalOracle opens(fake::hello(fake::opened_on(1)) + one + fake::hello(fake::opened_on(3)) +
                       one + fake::next_request);
  EXPECT_EQ(opens.run(probe, 3).size(), 1u);
  EXPECT_EQ(opens.session(), 0);
  EXPECT_TRUE(opens.session_is_over());
  EXPECT_EQ(opens.run(probe, 1).size(), 1u);
  EXPECT_EQ(opens.session(), 1);
  EXPECT_EQ(opens.opening()->latest(), (std::vector<InitialObservation::Latest>{{3, 0, 5}}));
  // Greeted or not, it has run something: a session that somebody asks for is another process.
  ASSERT_TRUE(opens.begin_session());
  EXPECT_EQ(opens.session(), 2);
  EXPECT_EQ(opens.opening()->latest(), (std::vector<InitialObservation::Latest>{{1, 0, 5}}));

  ExternalOracle forgets(fake::always(fake::observe(waits)));
  for (int round = 0; round < 2; ++round) EXPECT_EQ(forgets.run(probe, 1).size(), 1u);
  EXPECT_EQ(forgets.session(), 0);
}

/// A device frees the blocks of a release one by one: what that lets in, and where, is chance.
TEST(ExternalOracle, CountsOnlyStepsThatAreExactOfADevice) {
  Probe probe = one_kernel();
  probe.kernels[0].blocks = 2;
  probe.kernels.push_back({"waits", 1, 32, 32, 0, 0, 0, std::nullopt});
  probe.script.push_back({1, {}});
  probe.script.push_back({std::nullopt, {{0, {}}}});
  const std::string run = R"({"steps":[{"started":{"k":{"block":[0,1],"sm":[2,2]}}},)"
                          R"({"started":{}},{"started":{"waits":{"block":[0],"sm":[2]}}}]})";
  ExternalOracle device(fake::hello(fake::opened_on(1)) + fake::next_request + fake::observe(run) +
                        fake::hello(fake::opened_on(3)) + fake::next_request);
  const std::vector<Answer> answers = device.run(probe, 3);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].exact, 2);
  EXPECT_EQ(answers[0].observation->steps.size(), 3u) << "all that was seen is kept";
  EXPECT_TRUE(device.session_is_over());

  ExternalOracle together(fake::always(fake::observe(run)));
  EXPECT_EQ(together.run(probe, 1)[0].exact, std::nullopt);
  EXPECT_FALSE(together.session_is_over());
}

TEST(ExternalOracle, ReadsAnAnswerThatFillsManyPipes) {
  // 3 MB of space before the answer, and a probe far larger than a pipe.
  const std::string padding = "head -c 3000000 /dev/zero | tr '\\0' ' '; ";
  Probe probe = one_kernel();
  probe.name = std::string(300'000, 'n');
  ExternalOracle oracle(fake::always(padding + fake::observe(fake::run_on(1))));
  EXPECT_EQ(sm_of(oracle.run(probe, 1)[0]), 1);
}

TEST(ExternalOracle, ReadsTheOptionalChannels) {
  ExternalOracle oracle(
      fake::hello(fake::device_message(R"("sm","warp_slot","start_ns","shared_config")")) +
      fake::next_request +
      fake::observe(
          R"({"steps":[{"started":{"k":{"block":[0],"sm":[1],"warp_slot":[[5]],"start_ns":[7]}},)"
          R"("shared_config":{"k":8192}}]})"));
  const std::vector<Answer> answers = oracle.run(one_kernel(), 1);
  EXPECT_EQ(answers[0].observation->steps[0].started[0].start_ns, std::vector<std::int64_t>{7});
  EXPECT_EQ(answers[0].facts, (std::vector<Fact>{{Fact::Kind::sm, 0, 0, {1}, {}},
                                                 {Fact::Kind::warp_slot, 0, 0, {}, {{5}}},
                                                 {Fact::Kind::shared_config, -1, 0, {8192}, {}}}));
}

}  // namespace
}  // namespace cuvier
