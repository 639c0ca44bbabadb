#include "solver/diagnosis/near_miss.h"

#include <gmock/gmock.h>

#include "solver/finding/mismatches.h"
#include "tests/law/out_of_space.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Random probes as the oracle answers them, each in a session of its own.
/// Turns the longest list of SMs around.
void disturb(Recording& recording) {
  Fact& longest = *std::ranges::max_element(recording.facts, {},
                                            [](const Fact& fact) { return fact.values.size(); });
  std::ranges::reverse(longest.values);
}

/// How many of these it gets wrong, and how many facts come with or behind the first wrong one.
std::pair<int, int> missed(const RecordingSet& set, const Hypothesis& hypothesis) {
  std::pair<int, int> missed{0, 0};
  Simulator simulator(set.device, hypothesis);
  for (const Recording& recording : set.recordings) {
    const std::vector<Mismatch> wrong = mismatches(recording, simulator.replay(recording));
    if (wrong.empty()) continue;
    ++missed.first;
    missed.second += static_cast<int>(recording.facts.end() -
                                      std::ranges::find(recording.facts, wrong.front().fact));
  }
  return missed;
}

NearMiss nearest_to(const RecordingSet& set, const Assumptions& assumptions) {
  return near_miss({set}, assumptions, {});
}

class NearMissLaw : public ::testing::TestWithParam<int> {
 protected:
  Rng rng_{static_cast<std::uint64_t>(GetParam())};
  Device device_ = small_device(8);
};

TEST_P(NearMissLaw, IsAsNearAsWhatWasDisturbedAndNoSingleChangeIsNearer) {
  Hypothesis planted = random_hypothesis(device_, rng_);
  planted.set<TieBreak>(TieBreak::linear);
  planted.order.clear();
  SimulatedOracle oracle("planted", device_, planted);
  RecordingSet set = recordings_of(oracle, 8, rng_);
  disturb(set.recordings[1]);
  disturb(set.recordings[4]);
  const NearMiss nearest = nearest_to(set, Assumptions::all(device_));
  EXPECT_LE(missed(set, nearest.hypothesis), missed(set, planted));
  EXPECT_EQ(nearest.wrong.size(), mismatches(set, nearest.hypothesis).size());
  for (const Hypothesis& changed : single_axis_changes(device_, nearest.hypothesis, rng_)) {
    EXPECT_GE(missed(set, changed), missed(set, nearest.hypothesis)) << describe(changed);
  }
}

TEST_P(NearMissLaw, ExplainsTheFirstStepsOfTheOnlyOne) {
  const Hypothesis planted = random_hypothesis(device_, rng_);
  SimulatedOracle oracle("planted", device_, planted);
  RecordingSet set = recordings_of(oracle, 1, rng_);
  disturb(set.recordings[0]);
  EXPECT_LE(missed(set, nearest_to(set, Assumptions::all(device_)).hypothesis),
            missed(set, planted));
}

TEST_P(NearMissLaw, StaysWithinWhatIsAssumed) {
  SimulatedOracle oracle("planted", device_, Hypothesis{});
  const RecordingSet set = recordings_of(oracle, 8, rng_);
  Assumptions assumptions = Assumptions::all(device_);
  assumptions.restrict_by("selection=fewest_warps,first_fit");
  assumptions.restrict_by("tie_break=linear");
  const NearMiss nearest = nearest_to(set, assumptions);
  EXPECT_NE(nearest.hypothesis.get<Selection>(), Selection::most_room);
  EXPECT_EQ(nearest.hypothesis.get<TieBreak>(), TieBreak::linear);
}

TEST_P(NearMissLaw, LearnsAnOrder) {
  Hypothesis planted;
  planted.set<TieBreak>(TieBreak::learned);
  learn_any_order(device_, planted, rng_);
  SimulatedOracle oracle("planted", device_, planted);
  RecordingSet set = recordings_of(oracle, 6, rng_);
  disturb(set.recordings[3]);
  const NearMiss nearest = nearest_to(set, Assumptions::all(device_));
  EXPECT_EQ(nearest.hypothesis.get<TieBreak>(), TieBreak::learned);
  EXPECT_EQ(nearest.hypothesis.order.size(), 8u);
  EXPECT_LE(missed(set, nearest.hypothesis), missed(set, planted));
}

TEST_P(NearMissLaw, NamesTheSmThatNeverGetsBlocks) {
  out_of_space::DeadSm oracle(device_, 5);
  const NearMiss nearest = nearest_to(recordings_of(oracle, 8, rng_), Assumptions::all(device_));
  EXPECT_THAT(nearest.never_used, ElementsAre(5));
}

INSTANTIATE_TEST_SUITE_P(Seeds, NearMissLaw, ::testing::Range(1, 4));

// Constraints and prediction come from one definition: where they part, that is no refutation.
TEST(NearMiss, ThatGetsNothingWrongLeavesThingsUndecided) {
  Finding finding = ended_as(Verdict::refuted, "no hypothesis explains what was observed");
  NearMiss nearest;
  nearest.facts = 2;
  nearest.wrong.emplace_back();
  tell_nearest(finding, nearest);
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  nearest.wrong.clear();
  tell_nearest(finding, nearest);
  EXPECT_EQ(finding.verdict, Verdict::undecided);
  EXPECT_EQ(finding.reason,
            "a defect of cuvier, please report the journal: its constraints leave nobody, and "
            "algorithm-1 predicts all facts");
}

TEST(NearMiss, SaysOfWhichKernelsARoomThatSaturatesIs) {
  // Of blocks of more than 288 threads an SM takes four or fewer: there Algorithm 1 holds.
  out_of_space::ChangedRule<out_of_space::SaturatingRoom> oracle(small_device(8), 4);
  RecordingSet set{"test", oracle.device(), {}};
  for (int threads = 192; threads <= 960; threads += 32) {
    const Probe probe{
        fmt::format("of-{}", threads), {{"k", 12, threads, 32, 0, 0, 0, std::nullopt}}, {{0, {}}}};
    oracle.begin_session();
    set.recordings.push_back({probe, oracle.run(probe, 1).front().facts, true, probe.name});
  }
  const NearMiss nearest = nearest_to(set, Assumptions::all(set.device));
  EXPECT_EQ(nearest.hypothesis, Hypothesis{});
  ASSERT_TRUE(nearest.pattern);
  EXPECT_EQ(nearest.pattern->traits.front().property, "threads per block");
  EXPECT_FALSE(nearest.pattern->traits.front().at_least);
  EXPECT_EQ(nearest.pattern->traits.front().threshold, 288);
  EXPECT_EQ(nearest.pattern->right_here, 0);
  EXPECT_THAT(nearest.never_used, IsEmpty());
}

}  // namespace
}  // namespace cuvier
