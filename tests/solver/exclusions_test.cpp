#include "solver/justification/exclusions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solver/space/version_space.h"
#include "tests/law/planted.h"
#include "tests/law/planted_sessions.h"

namespace cuvier {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

/// An inference that goes on from its journal does not take again what was asked a second time,
/// alone; who verifies what it left reads all of the journal.
TEST(Exclusions, AreTheSameWithWhatWasAskedASecondTime) {
  const Device device = small_device(4);
  Hypothesis other;
  other.set<Selection>(Selection::first_fit);
  other.set<TieBreak>(TieBreak::linear);
  other.set<PointerSkip>(PointerSkip::none);
  const Assumptions assumed = between({}, other);
  RecordingSet once{"", device, {}};
  RecordingSet twice = once;
  VersionSpace space(device, assumed);
  for (const Session& session : sessions_by(device, {}, 8, 1)) {
    Recording recording = session.front();
    const std::string name = fmt::format("p{}", once.recordings.size() + 1);
    recording.probe.name = name + "-alone";
    twice.recordings.push_back(recording);  // first, so that it would exclude what the other does
    recording.probe.name = name;
    twice.recordings.push_back(recording);
    once.recordings.push_back(recording);
    space.observe(recording);
  }
  const auto lemmas = [&](const RecordingSet& recordings) {
    std::string text;
    for (const Lemma& each : exclusions_of(recordings, assumed, space.surviving(), {}).lemmas) {
      text += each.smt2;
    }
    return text;
  };
  EXPECT_THAT(lemmas(once), Not(IsEmpty()));
  EXPECT_EQ(lemmas(once), lemmas(twice));
}

}  // namespace
}  // namespace cuvier
