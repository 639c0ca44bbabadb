#include "corpus/store.h"

#include <gmock/gmock.h>

#include <sstream>

#include "probes/fact_format.h"
#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// One block, which went to this SM.
std::shared_ptr<const InitialObservation> opening_on(int sm) {
  const Probe probe{"opening", {samples::kernel("k", 1, 32)}, {{0, {}}}};
  const std::vector<Fact> facts{{Fact::Kind::sm, 0, 0, {sm}, {}},
                                {Fact::Kind::warp_slot, 0, 0, {}, {{5}}}};
  return std::make_shared<InitialObservation>(probe, facts, Place("opening"));
}

Recording recording_of(const std::string& name, bool fresh) {
  Probe probe = samples::probe();
  probe.name = name;
  return {probe, facts_of(samples::observation(), probe), fresh, {}};
}

std::string device_line(const std::string& source) {
  return R"({"type":"device","source":")" + source + R"(","session":true,"device":)" +
         samples::device_text + "}\n";
}

class JournalTest : public ::testing::Test {
 protected:
  Journal open() { return Journal(folder_.path("run"), samples::device(), "a test"); }
  std::string text() { return folder_.read("run/journal.jsonl"); }

  /// The names of what was recorded, a fresh one after a bar: "|a b |c"; "1|d" where the session's
  /// opening ended on SM 1.
  static std::string sessions(const RecordingSet& set) {
    std::string names;
    for (const Recording& recording : set.recordings) {
      if (!names.empty()) names += ' ';
      if (recording.opening) names += std::to_string(recording.opening->latest().back().sm);
      names += (recording.fresh ? "|" : "") + recording.name();
    }
    return names;
  }
  std::string sessions() { return sessions(read_recordings(folder_.path("run/journal.jsonl"))); }

  samples::Folder folder_;
};

TEST_F(JournalTest, OfRecordingsAFileHasTheSameSessions) {
  Recording opened = recording_of("c", true);
  opened.opening = opening_on(3);
  RecordingSet set{"me", samples::device(), {}};
  set.recordings = {recording_of("a", true), recording_of("b", false), opened,
                    recording_of("d", true)};
  EXPECT_EQ(sessions(recordings_from_text(recording_lines(set), "file")), "|a b 3|c |d");
  set.recordings = {recording_of("a", true), recording_of("b", true)};
  const std::string text = recording_lines(set, {std::nullopt, 1});
  EXPECT_EQ(text.find("session"), std::string::npos);
  const RecordingSet again = recordings_from_text(text, "file");
  EXPECT_EQ(sessions(again), "|a |b");
  EXPECT_EQ(again.recordings[0].probe, set.recordings[0].probe);
  EXPECT_EQ(again.recordings[1].probe.script.size(), 1u);
}

TEST_F(JournalTest, StartsWithItsDevice) {
  const Journal journal = open();
  EXPECT_EQ(journal.path(), folder_.path("run/journal.jsonl"));
  EXPECT_EQ(text(), device_line("a test"));
  EXPECT_TRUE(journal.recorded().recordings.empty());
  EXPECT_EQ(journal.recorded().device, samples::device());
  EXPECT_EQ(journal.recovered_bytes(), 0u);
}

TEST_F(JournalTest, HoldsEachRecordingAsSoonAsItIsAppended) {
  Journal journal = open();
  const Recording recording = recording_of("a", true);
  journal.append(recording, {{"why", "it splits best"}, {"bits", 1.5}});
  Json line = to_json(recording);
  line["why"] = "it splits best";
  line["bits"] = 1.5;
  EXPECT_EQ(text(), device_line("a test") + line.dump() + "\n");
}

TEST_F(JournalTest, IsReadAsRecordings) {
  const Recording recording = recording_of("a", true);
  open().append(recording, {{"observation", to_json(samples::observation(), samples::probe())}});
  const RecordingSet set = read_recordings(folder_.path("run/journal.jsonl"));
  ASSERT_EQ(set.recordings.size(), 1u);
  EXPECT_EQ(set.source, "a test");
  EXPECT_EQ(set.recordings[0].probe, recording.probe);
  EXPECT_EQ(set.recordings[0].facts, recording.facts);
  EXPECT_TRUE(set.recordings[0].fresh);
}

TEST_F(JournalTest, TellsSessionsApart) {
  Journal journal = open();
  journal.append(recording_of("a", true));
  journal.append(recording_of("b", false));
  journal.append(recording_of("c", true));
  journal.append(recording_of("d", true));
  journal.append(recording_of("e", false));
  EXPECT_EQ(sessions(), "|a b |c |d e");
}

TEST_F(JournalTest, KeepsWhatSessionsBeganWith) {
  Recording opened = recording_of("a", true);
  opened.opening = opening_on(3);
  {
    Journal journal = open();
    journal.append(opened);
    journal.append(recording_of("b", false));
    journal.append(recording_of("c", true));
    opened.opening = opening_on(1);
    journal.append(opened);
  }
  EXPECT_EQ(sessions(), "3|a b |c 1|a");
  const RecordingSet set = read_recordings(folder_.path("run/journal.jsonl"));
  EXPECT_EQ(*set.recordings.back().opening, *opened.opening);
}

TEST_F(JournalTest, KeepsWhatCountsForNothing) {
  {
    Journal journal = open();
    const Recording recording = recording_of("a", true);
    const Answer answer{recording.facts, std::nullopt, 0};
    EXPECT_THROW(journal.append(recording.probe, answer, true, opening_on(3), Json::object()),
                 OracleRefusal);
    journal.append(recording_of("b", true));
  }
  EXPECT_THAT(text(), testing::HasSubstr(R"("exact":0)"));
  EXPECT_THAT(text(), testing::Not(testing::HasSubstr("opening")));
  const RecordingSet set = read_recordings(folder_.path("run/journal.jsonl"));
  ASSERT_EQ(set.recordings.size(), 1u);
  EXPECT_EQ(set.recordings[0].name(), "b");
}

TEST_F(JournalTest, LosesAnOpeningThatNothingFollowed) {
  // The process was killed in between.
  const std::string dangling = device_line("a test") + to_json(*opening_on(3)).dump() + "\n";
  Recording opened = recording_of("a", true);
  opened.opening = opening_on(1);
  for (const auto& [recording, expected] :
       {std::pair(recording_of("b", true), "|b"), std::pair(opened, "1|a")}) {
    folder_.write("run/journal.jsonl", dangling + R"({"type":"recor)");
    open().append(recording);
    EXPECT_EQ(sessions(), expected);
  }
}

/// On a full device it is longer than what follows, and most sessions open alike.
TEST_F(JournalTest, WritesAnOpeningOutOnce) {
  Recording opened = recording_of("a", true);
  const auto append = [&](Journal& journal, int sm) {
    opened.opening = opening_on(sm);
    journal.append(opened);
  };
  {
    Journal journal = open();
    for (const int sm : {3, 3, 1, 3}) append(journal, sm);
    journal.append(recording_of("b", false));
  }
  Journal again = open();
  for (const int sm : {1, 1}) append(again, sm);
  EXPECT_EQ(sessions(), "3|a 3|a 1|a 3|a b 1|a 1|a");
  std::vector<std::string> openings;
  std::istringstream lines(text());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(R"({"type":"opening")")) openings.push_back(line.substr(0, 35));
  }
  const std::string in_full = to_json(*opening_on(3)).dump().substr(0, 35);
  const auto as_in = [](int line) {
    return R"({"type":"opening","as_in_line":)" + std::to_string(line) + "}";
  };
  EXPECT_EQ(openings, (std::vector{in_full, as_in(2), in_full, as_in(2), in_full, as_in(11)}));
}

TEST_F(JournalTest, GoesOnWhereItWasLeft) {
  {
    Journal journal = open();
    journal.append(recording_of("a", true));
    journal.append(recording_of("b", false));
  }
  const std::string before = text();
  {
    Journal journal(folder_.path("run"), samples::device(), "somebody else");
    EXPECT_EQ(journal.recorded().source, "a test");
    EXPECT_EQ(sessions(journal.recorded()), "|a b");
    EXPECT_EQ(journal.recovered_bytes(), 0u);
    EXPECT_EQ(text(), before);
    journal.append(recording_of("c", false));
    journal.append(recording_of("d", true));
  }
  EXPECT_EQ(sessions(), "|a b c |d");
  EXPECT_EQ(text().substr(0, before.size()), before);
}

TEST_F(JournalTest, BeginsOneSessionNotTwo) {
  folder_.write("journal.jsonl", device_line("a test") + to_json(recording_of("a", true)).dump() +
                                     "\n" + R"({"type":"session"})" + "\n\n");
  Journal(folder_.path(""), samples::device(), "a test").append(recording_of("b", true));
  const std::string text = folder_.read("journal.jsonl");
  EXPECT_EQ(text.find(R"({"type":"session"})"), text.rfind(R"({"type":"session"})"));
}

TEST_F(JournalTest, KeepsAllOfARunOfWhichPartCounts) {
  Probe probe = samples::probe();
  const Recording whole = recording_of("a", true);
  ASSERT_GT(whole.facts.back().step, 0);
  const Recording counts = open().append(probe, {whole.facts, samples::observation(), 1}, true,
                                         opening_on(3), {{"why", "it splits best"}});
  EXPECT_EQ(counts.facts, first_steps(whole, 1).facts);
  EXPECT_EQ(*counts.opening, *opening_on(3));
  // All is written; readers heed how far it is exact.
  const Json line = Json::parse(text().substr(text().rfind('\n', text().size() - 2) + 1));
  EXPECT_EQ(line.at("facts").size(), whole.facts.size());
  EXPECT_EQ(line.at("exact"), 1);
  EXPECT_EQ(line.at("observation"), to_json(samples::observation(), probe));
  EXPECT_EQ(read_recordings(folder_.path("run/journal.jsonl")).recordings.back().facts,
            counts.facts);
}

TEST_F(JournalTest, LetsNoExtraFieldHideARecordingsOwn) {
  Journal journal = open();
  EXPECT_THROW(journal.append(recording_of("a", true), {{"facts", Json::array()}}),
               std::logic_error);
  EXPECT_EQ(text(), device_line("a test"));
}

TEST_F(JournalTest, TakesTextThatIsNoUtf8) {
  Journal journal(folder_.path("run"), samples::device(), "exec:./\xff");
  journal.append(recording_of("a", true), {{"why", "\xfe"}});
  EXPECT_EQ(sessions(), "|a");
}

}  // namespace
}  // namespace cuvier
