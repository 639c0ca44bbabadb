// Answers that are wrong cost probes and change no verdict; a device that behaves as no
// hypothesis does is refuted.

#include "tests/law/noise.h"

#include <gmock/gmock.h>

#include "solver/justification/evidence_left.h"
#include "tests/law/out_of_space.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;

constexpr int kRepeat = 3;

/// All hypotheses with Algorithm 1's value on the axes that take longest to tell apart.
Assumptions some_hypotheses(const Device& device) {
  Assumptions assumptions = Assumptions::all(device);
  for (const int axis :
       {index_of<Hierarchy>(), index_of<DispatchBatch>(), index_of<RegisterLayout>(),
        index_of<RegisterPool>(), index_of<ConfigOccupancy>(), index_of<ConfigRounding>(),
        index_of<SharedGranularity>(), index_of<RuntimeShared>(), index_of<ConfigScope>(),
        index_of<ConfigGate>(), index_of<SharedPlacement>(), index_of<CursorReset>()}) {
    assumptions.allowed[axis] = 1;
  }
  return assumptions;
}

Finding run(Oracle& oracle, const Assumptions& assumptions, int repeat, const std::string& folder) {
  Journal journal(folder, oracle.device(), "planted");
  InferenceOptions options;
  options.repeat = repeat;
  return infer(oracle, journal, assumptions, options, {});
}

/// What the journal leaves by itself.
EvidenceLeft left_by(const samples::Folder& folder, const Device& device) {
  return evidence_left(read_recordings(folder.path("journal/journal.jsonl")),
                       some_hypotheses(device), true, {});
}

/// Plants a mechanism in a device that errs, and infers it.
void expect_recovered(const Hypothesis& planted, const Noise& noise) {
  const Device device = small_device(4);
  const samples::Folder folder;
  SimulatedOracle simulated("planted", device, planted);
  NoisyOracle oracle(simulated, noise);
  const Finding finding = run(oracle, some_hypotheses(device), kRepeat, folder.path("journal"));
  ASSERT_EQ(finding.verdict, Verdict::identified) << finding.reason;
  EXPECT_EQ(finding.runs, oracle.runs);
  EXPECT_GE(finding.runs, kRepeat * finding.probes);
  Rng rng(1);
  EXPECT_EQ(first_difference(device, planted, *finding.mechanism, 200, rng), -1)
      << describe(*finding.mechanism);

  // What is in the journal is known: nothing is asked again, and the end is the same.
  const int asked = oracle.runs;
  const Finding again = run(oracle, some_hypotheses(device), kRepeat, folder.path("journal"));
  EXPECT_EQ(oracle.runs, asked);
  EXPECT_EQ(again.verdict, finding.verdict);
  EXPECT_EQ(again.mechanism, finding.mechanism);
  EXPECT_EQ(again.discarded.size(), finding.discarded.size());

  const EvidenceLeft left = left_by(folder, device);
  EXPECT_EQ(left.space.surviving(), finding.surviving);
  EXPECT_EQ(left.doubted_too_soon, std::nullopt);
}

TEST(PlantedNoise, InOneRunOfTen) {
  expect_recovered({}, {.of_runs = 0.1, .of_probes = 0, .seed = 1});
}

TEST(PlantedNoise, InOneProbeOfTwentyAlways) {
  Hypothesis planted;
  planted.set<Selection>(Selection::fewest_warps);
  expect_recovered(planted, {.of_runs = 0, .of_probes = 0.05, .seed = 2});
}

TEST(PlantedNoise, InMostAnswersIsNeverTakenForAMechanism) {
  const Device device = small_device(4);
  const samples::Folder folder;
  SimulatedOracle simulated("planted", device, {});
  NoisyOracle oracle(simulated, {.of_runs = 0, .of_probes = 0.8, .seed = 3});
  const Finding finding = run(oracle, some_hypotheses(device), kRepeat, folder.path("journal"));
  EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.reason;
  EXPECT_FALSE(finding.clash.empty());
  EXPECT_TRUE(left_by(folder, device).space.empty());
}

class OutOfSpace : public ::testing::TestWithParam<int> {
 protected:
  Finding expect_refuted(Oracle& oracle) {
    const samples::Folder folder;
    const Finding finding =
        run(oracle, some_hypotheses(device_), GetParam(), folder.path("journal"));
    EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.reason;
    EXPECT_FALSE(finding.clash.empty());
    EXPECT_FALSE(finding.mechanism);
    EXPECT_TRUE(finding.nearest);
    EXPECT_FALSE(finding.nearest->wrong.empty());

    // What was asked beyond the contradiction is in the journal, too.
    const Finding again = run(oracle, some_hypotheses(device_), GetParam(), folder.path("journal"));
    EXPECT_EQ(again.runs, finding.runs);
    EXPECT_EQ(again.clash, finding.clash);
    EXPECT_EQ(again.nearest->wrong.size(), finding.nearest->wrong.size());
    EXPECT_EQ(again.nearest->facts, finding.nearest->facts);
    return finding;
  }

  Device device_ = small_device(8);
};

TEST_P(OutOfSpace, AnSmThatNeverGetsBlocks) {
  out_of_space::DeadSm oracle(device_, 3);
  EXPECT_THAT(expect_refuted(oracle).nearest->never_used, ElementsAre(3));
}

TEST_P(OutOfSpace, RoomThatSaturates) {
  out_of_space::ChangedRule<out_of_space::SaturatingRoom> oracle(device_, 4);
  expect_refuted(oracle);
}

TEST_P(OutOfSpace, ASkipRuleByAThreshold) {
  out_of_space::ChangedRule<out_of_space::SkipByThreshold> oracle(device_, 3);
  expect_refuted(oracle);
}

TEST_P(OutOfSpace, LargeGridsThatGoAnotherWay) {
  constexpr int least = 25;
  out_of_space::LastTwoSwapped oracle(device_, least);
  const Finding finding = expect_refuted(oracle);
  ASSERT_TRUE(finding.nearest->pattern);
  EXPECT_EQ(finding.nearest->pattern->traits.front().property, "blocks of the kernel");
  EXPECT_TRUE(finding.nearest->pattern->traits.front().at_least);
  EXPECT_EQ(finding.nearest->pattern->traits.front().threshold, least);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutRepeat, OutOfSpace, ::testing::Values(1, kRepeat));

}  // namespace
}  // namespace cuvier
