#include <gtest/gtest.h>

#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "probes/oracles/recording.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// One kernel of so many blocks: the test's way to tell probes apart.
std::string probe_fields(const std::string& name, int blocks) {
  return R"("name":")" + name + R"(","kernels":{"k":{"blocks":)" + std::to_string(blocks) +
         R"(,"threads":32,"registers":32}},"script":[{"launch":"k"}])";
}

Probe probe_of(int blocks, const std::string& name = "asked") {
  return probe_from_json(parse_json("{" + probe_fields(name, blocks) + "}", "p"), "p");
}

/// A recording of the probe in which so many blocks start.
std::string line(const std::string& name, int blocks, int started) {
  return R"({"type":"recording",)" + probe_fields(name, blocks) +
         R"(,"facts":[{"step":0,"kernel":"k","started":)" + std::to_string(started) + "}]}\n";
}

class RecordingOracleTest : public ::testing::Test {
 protected:
  RecordingOracle open(const std::string& lines, bool session) {
    const std::string device = std::string(R"({"type":"device","source":"a test","session":)") +
                               (session ? "true" : "false") + R"(,"device":)" +
                               samples::device_text + "}\n";
    return RecordingOracle(folder_.write("r.jsonl", device + lines));
  }

  /// How many blocks started in each answer; the refusal's message if there is none.
  static std::string ask(RecordingOracle& oracle, const Probe& probe, int repeat = 1) {
    std::string counts;
    try {
      for (const Answer& answer : oracle.run(probe, repeat)) {
        EXPECT_FALSE(answer.observation);
        counts += std::to_string(answer.facts.at(0).values.at(0));
      }
    } catch (const OracleRefusal& refusal) {
      EXPECT_EQ(refusal.code(), "not_recorded");
      return refusal.what();
    }
    return counts;
  }

  std::string refusal(const std::string& words) const { return folder_.path("r.jsonl") + words; }

  samples::Folder folder_;
};

TEST_F(RecordingOracleTest, KnowsWhatItIs) {
  RecordingOracle oracle = open(line("a", 1, 1) + line("b", 2, 2), false);
  EXPECT_EQ(oracle.device(), samples::device());
  EXPECT_EQ(oracle.description(), "recording:" + folder_.path("r.jsonl"));
  EXPECT_FALSE(oracle.answers_anything());
  EXPECT_EQ(oracle.catalogue(), (std::vector<Probe>{probe_of(1, "a"), probe_of(2, "b")}));
}

TEST_F(RecordingOracleTest, AnswersAProbeWhateverItsName) {
  RecordingOracle oracle = open(line("a", 1, 1) + line("b", 4, 3), false);
  EXPECT_EQ(ask(oracle, probe_of(4)), "3");
  EXPECT_EQ(ask(oracle, probe_of(1)), "1");
}

TEST_F(RecordingOracleTest, RefusesWhatItDoesNotKnow) {
  RecordingOracle oracle = open(line("a", 1, 1), false);
  EXPECT_EQ(ask(oracle, probe_of(2)),
            refusal(": probe \"asked\" was not recorded; it holds \"a\""));
  Probe other_stream = probe_of(1);
  other_stream.kernels[0].stream = "s";
  EXPECT_EQ(ask(oracle, other_stream),
            refusal(": probe \"asked\" was not recorded; it holds \"a\""));
}

TEST_F(RecordingOracleTest, GivesEachRecordingOnce) {
  RecordingOracle oracle = open(line("a", 4, 1) + line("b", 2, 2) + line("c", 4, 3), false);
  EXPECT_EQ(ask(oracle, probe_of(4)), "1");
  EXPECT_EQ(ask(oracle, probe_of(4)), "3");
  EXPECT_EQ(ask(oracle, probe_of(4)),
            refusal(": probe \"asked\" was recorded, but not once more at this point"));
}

TEST_F(RecordingOracleTest, CountsASessionForEachFreshRecording) {
  RecordingOracle oracle = open(line("a", 4, 1) + line("b", 4, 2), false);
  EXPECT_EQ(oracle.session(), 0);
  // Two fresh recordings are no two runs in one session, though both were asked for.
  EXPECT_EQ(ask(oracle, probe_of(4), 2), "1");
  EXPECT_EQ(oracle.session(), 0);
  EXPECT_EQ(ask(oracle, probe_of(4), 2), "2");
  EXPECT_EQ(oracle.session(), 1);
}

TEST_F(RecordingOracleTest, RepeatsWithinASession) {
  RecordingOracle oracle =
      open(line("a", 4, 1) + line("a", 4, 2) + line("a", 4, 3) + line("b", 2, 2), true);
  EXPECT_EQ(ask(oracle, probe_of(4), 2), "12");
  EXPECT_EQ(ask(oracle, probe_of(4), 2), "3");
  EXPECT_EQ(ask(oracle, probe_of(2), 2), "2");
  EXPECT_EQ(oracle.session(), 0);
}

TEST_F(RecordingOracleTest, KeepsTheOrderOfASession) {
  const std::string session = R"({"type":"session"})"
                              "\n";
  RecordingOracle oracle =
      open(line("a", 1, 1) + line("b", 2, 2) + session + line("c", 3, 3) + line("d", 2, 1), true);
  const std::string out_of_order =
      refusal(": probe \"asked\" was recorded, but not once more at this point");
  EXPECT_EQ(ask(oracle, probe_of(2)), out_of_order) << "b ran after a";
  EXPECT_EQ(ask(oracle, probe_of(3)), "3") << "c starts a session";
  EXPECT_EQ(ask(oracle, probe_of(2)), "1") << "d ran after c";
  EXPECT_EQ(ask(oracle, probe_of(1)), "1") << "a starts the other";
  EXPECT_EQ(oracle.session(), 1);
  EXPECT_EQ(ask(oracle, probe_of(2)), "2");
}

TEST_F(RecordingOracleTest, GivesAllOfItsCatalogueInOrder) {
  RecordingOracle oracle =
      open(line("a", 1, 1) + line("b", 2, 2) + line("a", 1, 0) + line("b", 2, 1) + line("b", 2, 0),
           true);
  std::string answers;
  for (const Probe& probe : oracle.catalogue()) answers += ask(oracle, probe);
  EXPECT_EQ(answers, "12010");
}

TEST_F(RecordingOracleTest, KnowsWhatItsSessionsBeganWith) {
  const auto opening = [](const std::string& name) {
    return R"({"type":"opening",)" + probe_fields(name, 1) +
           R"(,"facts":[{"step":0,"kernel":"k","sm":[0]}]})" + "\n";
  };
  RecordingOracle oracle =
      open(opening("first") + line("a", 1, 1) + line("b", 2, 2) + opening("second") +
               line("c", 3, 3) + R"({"type":"session"})" + "\n" + line("d", 4, 4),
           true);
  std::string names;
  for (const int blocks : {1, 2, 3, 4}) {
    ask(oracle, probe_of(blocks));
    names += (oracle.opening() ? oracle.opening()->probe().name : "none") + " ";
  }
  EXPECT_EQ(names, "first first second none ");
}

}  // namespace
}  // namespace cuvier
