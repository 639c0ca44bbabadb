#include <fmt/format.h>
#include <gtest/gtest.h>

#include "probes/fact.h"
#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "tests/samples.h"
#include "tests/shared_files.h"

namespace cuvier {
namespace {

using samples::message_of;

std::string device_line(const std::string& more = "") {
  return R"({"type":"device","source":"a test",)" + more + R"("device":)" + samples::device_text +
         "}\n";
}

std::string recording_line(const std::string& name, const std::string& more = "") {
  return R"({"type":"recording","name":")" + name +
         R"(","kernels":{"k":{"blocks":1,"threads":32,"registers":32}},"script":[{"launch":"k"}],)" +
         more + R"("facts":[{"step":0,"kernel":"k","sm":[0]}]})" + "\n";
}

class Recordings : public ::testing::Test {
 protected:
  RecordingSet read(const std::string& text) {
    return read_recordings(folder_.write("r.jsonl", text));
  }

  /// What is wrong with a file of this text, from its line number on.
  std::string fault(const std::string& text) {
    const std::string message = message_of([&] { read(text); });
    const std::string path = folder_.path("r.jsonl");
    return message.rfind(path, 0) == 0 ? message.substr(path.size()) : message;
  }

  std::vector<bool> fresh(const std::string& text) {
    std::vector<bool> values;
    for (const Recording& recording : read(text).recordings) values.push_back(recording.fresh);
    return values;
  }

  samples::Folder folder_;
};

TEST_F(Recordings, AreReadInOrder) {
  const RecordingSet set = read(device_line() + recording_line("a") + "\n" + recording_line("b"));
  EXPECT_EQ(set.source, "a test");
  EXPECT_EQ(set.device, samples::device());
  ASSERT_EQ(set.recordings.size(), 2u);
  EXPECT_EQ(set.recordings[0].name(), "a");
  EXPECT_EQ(set.recordings[0].where, folder_.path("r.jsonl") + ":2");
  EXPECT_EQ(set.recordings[1].where, folder_.path("r.jsonl") + ":4");
}

TEST_F(Recordings, ShowWhichClustersADeviceLaunchesThatDoesNotSay) {
  const std::string map = R"("max_resident_kernels":128,"gpc_of_sm":[0,0,0,0])";
  const auto device_with = [&](const std::string& fields) {
    return samples::with(device_line(), R"("max_resident_kernels":128)", fields);
  };
  const auto clusters_of = [](int cluster) {
    return samples::with(recording_line("a"), R"("blocks":1)",
                         R"("blocks":4,"cluster":)" + std::to_string(cluster));
  };
  const RecordingSet set = read(device_with(map) + clusters_of(4) + clusters_of(2));
  EXPECT_EQ(set.device.max_cluster, 4);
  EXPECT_EQ(set.recordings.at(1).probe.kernels.at(0).cluster, 2);
  EXPECT_EQ(read(device_with(map) + recording_line("a")).device.max_cluster, 0);
  EXPECT_EQ(fault(device_with(map) + clusters_of(32)),
            ":2: kernels.k.cluster: 32 is no size of a cluster here; 1 to 4 are");
  EXPECT_EQ(fault(device_with(map + R"(,"max_cluster":2)") + clusters_of(4)),
            ":2: kernels.k.cluster: 4 is no size of a cluster here; 1 to 2 are");
  EXPECT_EQ(fault(device_line() + clusters_of(2)),
            ":2: kernels.k.cluster: a cluster is placed on one GPC, and four SMs does not give "
            "gpc_of_sm: use a device file that has it");
}

TEST_F(Recordings, MayHaveFieldsOfTheirOwn) {
  EXPECT_EQ(read(device_line() + recording_line("a", R"("why":"it splits best","bits":[1,{}],)"))
                .recordings.size(),
            1u);
}

TEST_F(Recordings, MayEndWithoutANewline) {
  std::string text = device_line() + recording_line("a");
  text.pop_back();
  EXPECT_EQ(read(text).recordings.size(), 1u);
}

TEST_F(Recordings, AreFreshUnlessTheyShareASession) {
  const std::string abc = recording_line("a") + recording_line("b") + recording_line("c");
  using Flags = std::vector<bool>;
  EXPECT_EQ(fresh(device_line() + abc), (Flags{true, true, true}));
  EXPECT_EQ(fresh(device_line(R"("session":false,)") + abc), (Flags{true, true, true}));
  EXPECT_EQ(fresh(device_line(R"("session":true,)") + abc), (Flags{true, false, false}));
  EXPECT_EQ(fresh(device_line(R"("session":true,)") + abc + R"({"type":"session"})" + "\n" + abc),
            (Flags{true, false, false, true, false, false}));
}

TEST_F(Recordings, AreReadAsFarAsTheyAreExact) {
  const std::string line =
      R"({"type":"recording","name":"p","kernels":{"a":{"blocks":1,"threads":32,"registers":16},)"
      R"("b":{"blocks":1,"threads":32,"registers":16}},"script":[{"launch":"a"},{"launch":"b"}],)"
      R"("facts":[{"step":0,"kernel":"a","sm":[0]},{"step":1,"kernel":"b","sm":[2]},)"
      R"({"kernel":"a","shared_config":8192},{"kernel":"b","shared_config":8192}]})"
      "\n";
  EXPECT_EQ(read(device_line() + line).recordings[0].facts.size(), 4u);
  const auto exact = [&](const std::string& steps) {
    return samples::with(line, R"("name")", R"("exact":)" + steps + R"(,"name")");
  };
  const Recording first = read(device_line() + exact("1")).recordings[0];
  EXPECT_EQ(first.probe.script.size(), 1u);
  EXPECT_EQ(first.facts, (std::vector<Fact>{{Fact::Kind::sm, 0, 0, {0}, {}},
                                            {Fact::Kind::shared_config, -1, 0, {8192}, {}}}));
  EXPECT_EQ(fault(device_line() + exact("3")), ":2: exact: 3 is too large; at most 2");
}

/// Of one of which nothing is exact nobody knows what hidden state it began with, or left.
TEST_F(Recordings, OfWhichNothingIsExactCountForNothing) {
  const auto of = [&](const std::string& device, const std::string& lines) {
    std::string names;
    for (const Recording& recording : read(device + lines).recordings) {
      names += (recording.fresh ? "|" : "") + recording.name();
    }
    return names;
  };
  const std::string nothing =
      samples::with(recording_line("n"), R"("facts")", R"("exact":0,"facts")");
  const std::string new_session = "{\"type\":\"session\"}\n";
  const std::string lines = recording_line("a") + recording_line("b") + nothing +
                            recording_line("c") + new_session + recording_line("d");
  EXPECT_EQ(of(device_line(R"("session":true,)"), lines), "|ab|d");
  EXPECT_EQ(of(device_line(), lines), "|a|b|c|d");
}

TEST_F(Recordings, OfASessionThatAnOpeningBeganHaveIt) {
  const auto opening_line = [](int sm) {
    const std::string line = samples::with(recording_line("o"), R"("recording")", R"("opening")");
    return samples::with(line, R"("sm":[0])", R"("sm":[)" + std::to_string(sm) + "]");
  };
  const auto opened = [&](const std::string& device, const std::string& lines) {
    std::string sms;
    for (const Recording& recording : read(device + lines).recordings) {
      EXPECT_TRUE(recording.fresh || !recording.opening);
      sms += recording.opening ? std::to_string(recording.opening->latest()[0].sm)
                               : (recording.fresh ? "-" : ".");
    }
    return sms;
  };
  const std::string ab = recording_line("a") + recording_line("b");
  const std::string new_session = "{\"type\":\"session\"}\n";
  const std::string lines = opening_line(1) + ab + opening_line(3) + ab + new_session + ab;
  EXPECT_EQ(opened(device_line(R"("session":true,)"), lines), "1.3.-.");
  EXPECT_EQ(opened(device_line(), lines), "1-3---");
  EXPECT_EQ(opened(device_line(R"("session":true,)"), opening_line(1) + new_session + ab +
                                                          opening_line(1) + opening_line(2) + ab +
                                                          opening_line(3)),
            "-.2.")
      << "what nothing followed says nothing";
  const auto as_in = [](int line) {
    return R"({"type":"opening","as_in_line":)" + std::to_string(line) + "}\n";
  };
  const std::string again =
      opening_line(1) + ab + opening_line(3) + as_in(2) + ab + as_in(5) + as_in(2) + as_in(5) + ab;
  EXPECT_EQ(opened(device_line(R"("session":true,)"), again), "1.1.3.");
  for (const int line : {1, 3, 4, 5}) {
    EXPECT_EQ(fault(device_line() + opening_line(1) + recording_line("a") + as_in(line)),
              fmt::format(":4: as_in_line: line {} writes out no opening before this one", line));
  }
  EXPECT_EQ(
      fault(device_line() + samples::with(opening_line(0), R"("blocks":1)", R"("blocks":2)")),
      ":2: says of 1 of the 2 blocks of \"k\" on which SM they went; an opening must of each");
}

TEST_F(Recordings, NeedADeviceFirst) {
  EXPECT_EQ(fault(""), ": is empty; its first line must be of type \"device\"");
  EXPECT_EQ(fault("\n \n"), ": is empty; its first line must be of type \"device\"");
  EXPECT_EQ(fault(recording_line("a")), ":1: type: the first line must be of type \"device\"");
  EXPECT_EQ(fault("{}"), ":1: type: is missing; add it");
}

TEST_F(Recordings, SayWhatIsWrongWithALine) {
  EXPECT_EQ(fault(device_line() + recording_line("a") + R"({"type":)"),
            ":3: not JSON: it ends too early, at column 9; write the rest or remove it");
  EXPECT_EQ(fault(device_line() + "[]\n"), ":2: must be an object, not an array");
  EXPECT_EQ(fault(device_line() + device_line()),
            ":2: type: \"device\" is none that may follow; there are recording, session, opening");
  EXPECT_EQ(fault(device_line() + R"({"type":"session","why":"new"})"),
            ":2: why: is no field here; there are type");
  EXPECT_EQ(fault(device_line(R"("sesion":true,)")),
            ":1: sesion: is no field here; there are type, source, session, device");
  EXPECT_EQ(fault(device_line(R"("session":1,)")), ":1: session: must be true or false, not 1");
  EXPECT_EQ(fault(samples::with(device_line(), R"("sms":4)", R"("sms":0)")),
            ":1: device.sms: 0 is too small; at least 1");
  EXPECT_EQ(fault(device_line() + samples::with(recording_line("a"), R"("facts")", R"("fact")")),
            ":2: facts: is missing; add it (did you mean it by \"fact\"?)");
  EXPECT_EQ(fault(device_line() +
                  samples::with(recording_line("a"), R"("registers":32)", R"("registers":300)")),
            ":2: kernels.k.registers: 300 is over the device's 255");
}

TEST_F(Recordings, NameAFileThatIsNotThere) {
  EXPECT_EQ(message_of([&] { read_recordings(folder_.path("none.jsonl")); }),
            folder_.path("none.jsonl") + ": cannot be opened: No such file or directory");
}

std::string in_corpus(const std::string& name) {
  return std::string(CUVIER_SOURCE_DIR) + "/corpus/" + name;
}

struct Known {
  std::optional<std::string> path;
  int sms;
  std::size_t recordings;
};

class OthersRecordings : public ::testing::TestWithParam<Known> {};

TEST_P(OthersRecordings, LoadAndSurviveARoundTrip) {
  if (!GetParam().path) GTEST_SKIP() << "recordings without a licence are not in the repository";
  const RecordingSet set = read_recordings(*GetParam().path);
  EXPECT_EQ(set.device.sms, GetParam().sms);
  EXPECT_EQ(set.recordings.size(), GetParam().recordings);
  for (const Recording& recording : set.recordings) {
    const Recording again = recording_from_json(to_json(recording), set.device, "again");
    EXPECT_EQ(again.probe, recording.probe);
    EXPECT_EQ(again.facts, recording.facts);
    EXPECT_TRUE(recording.fresh);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, OthersRecordings,
                         ::testing::Values(Known{in_corpus("rtx3090/wilde.jsonl"), 82, 33},
                                           Known{in_corpus("a100/wilde.jsonl"), 108, 33},
                                           Known{in_corpus("rtx2080ti/wilde.jsonl"), 68, 24}));
INSTANTIATE_TEST_SUITE_P(Shared, OthersRecordings,
                         ::testing::Values(Known{shared_file("recordings/b200.jsonl"), 148, 1}));

}  // namespace
}  // namespace cuvier
