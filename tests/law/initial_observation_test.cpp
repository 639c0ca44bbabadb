// Where sessions begin is not known of a device that others use; an opening that was observed
// tells it.

#include <gmock/gmock.h>

#include "probes/oracles/recording.h"
#include "reports/comparison/comparison_report.h"
#include "solver/check/check.h"
#include "solver/check/validation.h"
#include "solver/diagnosis/near_miss.h"
#include "solver/diagnosis/refutation.h"
#include "solver/finding/mismatches.h"
#include "solver/space/explanations.h"
#include "solver/space/sessions.h"
#include "tests/law/used_device.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// A random hypothesis, every other one such that something survives between probes.
Hypothesis some_hypothesis(const Device& device, int point, Rng& rng) {
  Hypothesis hypothesis = random_hypothesis(device, rng);
  if (point % 2 == 0) hypothesis.set<PointerReset>(PointerReset::never);
  if (point % 4 < 2) {
    constexpr Selection::Value walking[] = {Selection::round_robin, Selection::sticky_round_robin,
                                            Selection::next_fit};
    hypothesis.set<CursorReset>(CursorReset::never);
    hypothesis.set<Selection>(walking[uniform(rng, 0, 2)]);
  }
  return hypothesis;
}

Probe without_local(Probe probe) {
  for (Kernel& kernel : probe.kernels) kernel.local = 0;
  return probe;
}

std::shared_ptr<const InitialObservation> without_slots(const InitialObservation& opening) {
  std::vector<Fact> facts = opening.facts();
  std::erase_if(facts, [](const Fact& fact) { return fact.kind == Fact::Kind::warp_slot; });
  return std::make_shared<InitialObservation>(opening.probe(), std::move(facts), Place("opening"));
}

/// A grid that fills the device, or one of larger blocks and another one that may do so together.
Probe some_grid(const Device& device, int local, Rng& rng) {
  Probe probe = full_grid(device, local);
  if (uniform(rng, 0, 1) == 0) return probe;
  Kernel& larger = probe.kernels[0];
  larger.threads = 32 * uniform(rng, 2, 4);
  larger.blocks = device.sms * uniform(rng, 1, 10);
  probe.kernels.push_back(samples::kernel("k2", device.sms * uniform(rng, 1, 4), 32));
  probe.script.push_back({1, {}});
  return probe;
}

TEST(Openings, TellWhatTheDeviceDoesFromThere) {
  Rng rng(31);
  int opened = 0;
  int wrong_pointers = 0;  // where nobody looks at the opening
  int wrong_cursors = 0;
  for (int point = 0; point < 900; ++point) {
    const Device device = small_device(2 * uniform(rng, 1, 6));
    const Hypothesis hypothesis = some_hypothesis(device, point, rng);
    Simulator truth(device, hypothesis);
    // An opening cannot tell of local memory that it does not ask for.
    const bool asks_for_local = point % 3 == 0;
    for (int i = 0; i < 4; ++i) {
      const Probe probe = random_probe(device, rng);
      truth.run(asks_for_local ? probe : without_local(probe));
    }
    const Probe grid = asks_for_local ? full_grid(device, most_local) : some_grid(device, 0, rng);
    const auto opening = opening_by(truth, grid);
    if (!opening || static_cast<int>(opening->latest().size()) < device.sms) continue;
    ++opened;
    Simulator model(device, hypothesis);
    Simulator without_pointers(device, hypothesis);
    Simulator unopened(device, hypothesis);
    model.begin_session(opening.get());
    without_pointers.begin_session(without_slots(*opening).get());
    for (const ProbeFamily& family : probe_families(device)) {
      const Probe probe = family.draw(device, rng);
      const Observation seen = truth.run(probe);
      const Observation placed = without_channels(seen);
      const std::string what =
          describe(hypothesis) + " on " + device.name + ": " + to_json(probe).dump();
      ASSERT_EQ(model.run(probe), seen) << what;
      ASSERT_EQ(without_channels(without_pointers.run(probe)), placed) << what;
      if (asks_for_local) continue;
      const Observation guessed = unopened.run(probe);
      if (without_channels(guessed) != placed) {
        ++wrong_cursors;
      } else if (guessed != seen) {
        ++wrong_pointers;
      }
    }
  }
  EXPECT_GT(opened, 450);
  EXPECT_GT(wrong_pointers, 100);
  EXPECT_GT(wrong_cursors, 100);
}

/// A session on a device that others used; none where not all of its opening starts.
std::vector<Recording> record_used(const Device& device, const Hypothesis& planted, bool sees_slots,
                                   Rng& rng) {
  Simulator simulator(device, planted);
  for (int i = 0; i < 3; ++i) simulator.run(random_probe(device, rng));
  const auto opening = opening_by(simulator, full_grid(device, most_local));
  std::vector<Recording> recordings;
  for (int i = 0; opening && i < 2; ++i) {
    const Probe probe = random_probe(device, rng);
    const Observation seen = simulator.run(probe);
    recordings.push_back(
        {probe, facts_of(sees_slots ? seen : without_channels(seen), probe), i == 0, {}});
    if (i == 0) recordings[0].opening = opening;
  }
  return recordings;
}

TEST(Openings, ArePrunedFromByTheVersionSpace) {
  Rng rng(15);
  int members = 0;
  int others = 0;
  int lost = 0;  // planted, where nobody looks at the opening
  for (int pair = 0; pair < 500; ++pair) {
    const Device device = small_device(2 * uniform(rng, 1, 4));
    Hypothesis planted = random_named(device, rng);
    (pair % 2 == 0 ? planted.set<PointerReset>(PointerReset::never)
                   : planted.set<CursorReset>(CursorReset::never));
    const Hypothesis other = mix(planted, random_named(device, rng), 50, rng);
    auto recordings = record_used(device, planted, pair % 4 < 2, rng);
    if (recordings.empty()) continue;
    VersionSpace space(device, between(planted, other));
    for (const Recording& recording : recordings) space.observe(recording);
    ASSERT_TRUE(space.contains(planted)) << describe(planted) << " on\n" << words(recordings);
    for (int i = 0; i < 8; ++i) {
      const Hypothesis asked = mix(planted, other, i * 10, rng);
      const bool agrees = explains(device, asked, recordings);
      ++(agrees ? members : others);
      ASSERT_EQ(space.contains(asked), agrees)
          << "pair " << pair << ": " << describe(asked) << " where " << describe(planted)
          << " was planted; " << words(recordings);
    }
    recordings.front().opening = nullptr;
    lost += explains(device, planted, recordings) ? 0 : 1;
  }
  EXPECT_GT(members, 500);
  EXPECT_GT(others, 500);
  EXPECT_GT(lost, 50);
}

/// Where something survives from probe to probe.
std::vector<Hypothesis> surviving_something() {
  std::vector<Hypothesis> all(2);
  all[0].set<Selection>(Selection::round_robin);
  all[0].set<CursorReset>(CursorReset::never);
  all[1].set<PointerReset>(PointerReset::never);
  all[1].set<PointerSkip>(PointerSkip::none);
  return all;
}

/// What of a finding may not be so under the hypothesis, which is behind it.
std::string lost(const Finding& finding, const Hypothesis& planted) {
  std::string lost;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!matters(axis, planted)) continue;
    const auto& values = finding.surviving[axis];
    if (std::ranges::find(values, planted.values[axis]) == values.end()) {
      lost += std::string(axis_info(axis).name) + " ";
    }
  }
  return lost;
}

TEST(Openings, LetInferenceRecoverWhatSurvives) {
  for (const Hypothesis& planted : surviving_something()) {
    const samples::Folder folder;
    const Device device = small_device(8);
    UsedDevice oracle(device, planted);
    Journal journal(folder.path("journal"), device, "used");
    const Finding finding = infer(oracle, journal, Assumptions::all(device), {}, {});
    EXPECT_EQ(finding.verdict, Verdict::identified) << describe(planted) << ": " << finding.reason;
    EXPECT_EQ(lost(finding, planted), "") << describe(planted);
    // What only the start of a session shows, that is: of local memory and of a cycle.
    EXPECT_LE(finding.count.remaining, 4) << describe(planted);
  }
}

TEST(Openings, SpareSessionsThatWouldShowNothingNew) {
  const Device device = small_device(8);
  Assumptions two{};
  const Hypothesis planted = surviving_something()[0];
  for (int axis = 0; axis < kAxes; ++axis) two.allowed[axis] = 1u << planted.values[axis];
  two.allowed[index_of<TieBreak>()] =
      one_of(TieBreak::tpc_interleaved, TieBreak::tpc_interleaved_odd_first);
  // From the start of the cursor, a block would tell where the cycle begins.
  const samples::Folder folder;
  UsedDevice oracle(device, planted, {"opening", {samples::kernel("k", 1, 32)}, {{0, {}}}});
  Journal journal(folder.path("journal"), device, "used");
  InferenceOptions options;
  options.max_probes = 10;
  std::vector<std::string> asked;
  InferenceListener listener;
  listener.step = [&](const InferenceStep& step) { asked.push_back(step.why); };
  infer(oracle, journal, two, options, listener);
  EXPECT_THAT(asked, AllOf(Not(IsEmpty()), Each(StartsWith("confirming"))));
}

TEST(Openings, OfEachSessionAreInTheJournal) {
  const Hypothesis planted = surviving_something()[0];
  const Device device = small_device(8);
  const samples::Folder folder;
  InferenceOptions options;
  options.max_probes = 2;
  for (int session = 1; session <= 3; ++session) {
    UsedDevice oracle(device, planted);
    for (int i = 0; i < session; ++i) oracle.begin_session();  // each begins somewhere else
    Journal journal(folder.path("journal"), device, "used");
    const Finding finding = infer(oracle, journal, Assumptions::all(device), options, {});
    EXPECT_EQ(finding.verdict, session < 3 ? Verdict::ambiguous : Verdict::identified)
        << finding.reason;
    EXPECT_EQ(lost(finding, planted), "");
    options.max_probes = session == 1 ? 4 : 1000;
  }
  const RecordingSet set = read_recordings(folder.path("journal/journal.jsonl"));
  std::vector<InitialObservation::Latest> last;
  for (const Recording& recording : set.recordings) {
    ASSERT_EQ(recording.fresh, recording.opening != nullptr);
    if (recording.opening) last.push_back(recording.opening->latest().back());
  }
  ASSERT_EQ(last.size(), 2u + 15u);  // those that confirm begin sessions of their own
  EXPECT_NE(last[0].sm, last[1].sm);
}

/// Sessions of a device that follows the hypothesis, each of which begins somewhere else.
RecordingSet record_sessions(const Device& device, const Hypothesis& planted) {
  UsedDevice oracle(device, planted);
  Rng rng(41);
  RecordingSet set{"used", device, {}};
  for (int session = 0; session < 4; ++session) {
    oracle.begin_session();
    for (int i = 0; i < 3; ++i) {
      const Probe probe = random_probe(device, rng);
      set.recordings.push_back(
          {probe, oracle.run(probe, 1).front().facts, i == 0, fmt::format("{}.{}", session, i)});
      if (i == 0) set.recordings.back().opening = oracle.opening();
    }
  }
  return set;
}

TEST(Openings, AreHeededWhereverRecordingsAreLookedAt) {
  const Device device = small_device(8);
  Assumptions all = Assumptions::all(device);
  all.restrict_by("local_memory=grow_when_idle");
  const Task quiet;
  for (const Hypothesis& planted : surviving_something()) {
    const RecordingSet set = record_sessions(device, planted);
    EXPECT_TRUE(mismatches(set, planted).empty());
    const Finding finding = check({set}, all, quiet);
    EXPECT_EQ(finding.probes, static_cast<int>(set.recordings.size()));
    EXPECT_EQ(lost(finding, planted), "");
    EXPECT_TRUE(near_miss({set}, all, quiet).wrong.empty());
    Explanations explanations(device, all, {}, sessions_of({set}), quiet);
    EXPECT_EQ(
        explanations.diagrams().value_at(explanations.all_of(explanations.assumed()), planted), 1);

    // What refutes another model does so from that opening, in a file as well.
    Hypothesis other = planted;
    other.set<PointerReset>(PointerReset::device_idle);
    other.set<CursorReset>(CursorReset::device_idle);
    const auto refutation = smallest_refutation(set, other);
    ASSERT_TRUE(refutation);
    const samples::Folder folder;
    const std::string path = folder.write("refutation.jsonl", recording_lines(refutation->set));
    EXPECT_FALSE(mismatches(read_recordings(path), other).empty());
    EXPECT_TRUE(mismatches(read_recordings(path), planted).empty());
    const auto json = refutation_json(*refutation)["recordings"];
    EXPECT_EQ(json.size(), refutation->set.recordings.size() + 1);
    EXPECT_EQ(json[0]["type"], "opening");

    // And an inference from a file is one from what its sessions opened with.
    std::string lines;
    for (std::size_t i = 0; i < set.recordings.size(); i += 3) {
      const auto first = set.recordings.begin() + static_cast<std::ptrdiff_t>(i);
      const std::string session = recording_lines({set.source, device, {first, first + 3}});
      lines += lines.empty() ? session : session.substr(session.find('\n') + 1);
    }
    RecordingOracle oracle(folder.write("sessions.jsonl", lines));
    Journal journal(folder.path("journal"), device, "file");
    InferenceOptions options;
    options.max_probes = static_cast<int>(set.recordings.size());
    EXPECT_EQ(lost(infer(oracle, journal, all, options, {}), planted), "");
    EXPECT_TRUE(mismatches(read_recordings(journal.path()), planted).empty());
  }
}

TEST(Openings, AreWhatAValidatedModelGoesOnFrom) {
  for (const Hypothesis& planted : surviving_something()) {
    for (const bool silent : {false, true}) {
      const samples::Folder folder;
      const Device device = small_device(8);
      Journal journal(folder.path("journal"), device, "used");
      ValidationOptions options;
      options.sequences = 60;
      Hypothesis model = planted;
      model.set<LocalMemory>(LocalMemory::ignored);  // so that only the rest is in question
      UsedDevice oracle(device, model, silent ? Probe{} : full_grid(device, most_local));
      const Validation validation = validate_model(oracle, journal, model, options);
      EXPECT_EQ(validation.contradictions.empty(), !silent) << describe(planted);
    }
  }
}

TEST(Openings, ThatDifferAreNotPutToTheVote) {
  const Device device = small_device(8);
  InferenceOptions options;
  options.repeat = 3;
  options.max_probes = 4;
  {
    const samples::Folder folder;
    UsedDevice oracle(device, {});
    Journal journal(folder.path("journal"), device, "used");
    const Finding finding = infer(oracle, journal, Assumptions::all(device), options, {});
    EXPECT_EQ(finding.probes, options.max_probes) << finding.reason;
    EXPECT_EQ(lost(finding, {}), "");
  }
  const samples::Folder folder;
  UsedDevice oracle(device, surviving_something()[1]);
  Journal journal(folder.path("journal"), device, "used");
  const std::string message =
      samples::message_of([&] { infer(oracle, journal, Assumptions::all(device), options, {}); });
  EXPECT_TRUE(
      message.ends_with("sessions no 3 opened alike, so their answers cannot be put to the "
                        "vote; go on without --repeat, in another folder"))
      << message;
}

}  // namespace
}  // namespace cuvier
