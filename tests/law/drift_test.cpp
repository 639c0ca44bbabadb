// A hypothesis that drifts has many outcomes, and explains each of them and nothing else.

#include <gtest/gtest.h>

#include <set>

#include "hypotheses/readings/choices.h"
#include "solver/constraints/refutations.h"
#include "solver/finding/mismatches.h"
#include "solver/proof/equivalence.h"
#include "solver/query_selection/comparison.h"
#include "solver/smt/smt_query.h"
#include "tests/law/planted.h"
#include "tests/law/smt_space.h"

namespace cuvier {
namespace {

constexpr int sms = 6;

Hypothesis in_flight(PairsInFlight::Value value) {
  Hypothesis hypothesis;
  hypothesis.set<DispatchBatch>(DispatchBatch::pair);
  hypothesis.set<PairsInFlight>(value);
  return hypothesis;
}

std::vector<int> sms_of(const Observation& observation, int step = 0) {
  return observation.steps[step].started.at(0).sm;
}

VersionSpace space_of(const Device& device, const Hypothesis& hypothesis) {
  return VersionSpace(device, between(hypothesis, hypothesis));
}

/// Grids of any size, some of which wait, with releases of single blocks.
Probe random_grids(Rng& rng) {
  constexpr int threads[] = {32, 64, 256, 512};
  Probe probe = grids({uniform(rng, 2, 90), uniform(rng, 2, 90)}, threads[uniform(rng, 0, 3)]);
  if (uniform(rng, 0, 1) == 1) {
    probe.script.insert(probe.script.begin() + 1, {std::nullopt, {{0, {0, 1}}}});
  }
  probe.script.push_back({std::nullopt, {{0, {}}}});
  return probe;
}

/// Blocks that leave by their number tell which is which.
void leave_together(Probe& probe) {
  std::erase_if(probe.script, [](const Action& action) {
    return !action.launch && !action.releases[0].blocks.empty();
  });
}

TEST(PairsInFlight, TwoTakeTurnsFromTheFourthPickOn) {
  const Device device = small_device(16);
  const Observation seen =
      predict(device, in_flight(PairsInFlight::two), grids({2 * device.sms + 16}));
  const std::vector<int> sm = sms_of(seen);
  EXPECT_EQ(std::vector(sm.begin(), sm.begin() + 14),
            (std::vector{0, 0, 2, 2, 4, 4, 6, 8, 6, 8, 10, 12, 10, 12}));
}

/// Which block comes to a place is all that it decides, with one outcome.
TEST(PairsInFlight, DecidesNothingButNumbers) {
  const Device device = small_device(sms);
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    Hypothesis hypothesis = random_named(device, rng);
    hypothesis.set<DispatchBatch>(DispatchBatch::pair);
    Probe probe = random_grids(rng);
    leave_together(probe);
    std::array<Observation, 2> seen;
    for (const auto value : {PairsInFlight::one, PairsInFlight::two}) {
      hypothesis.set<PairsInFlight>(value);
      seen[value] = predict(device, hypothesis, probe);
      for (Step& step : seen[value].steps) {
        for (Started& started : step.started) {
          std::ranges::sort(started.sm);
          auto blocks = started.warp_slot.by_block();
          std::ranges::sort(blocks);
          started.warp_slot.clear();
          for (const std::vector<int>& block : blocks) started.warp_slot.push_back(block);
        }
      }
    }
    EXPECT_EQ(seen[0], seen[1]) << describe(hypothesis) << "\n" << to_json(probe).dump();
  }
}

class Drifting : public ::testing::TestWithParam<PairsInFlight::Value> {};

TEST_P(Drifting, EachOutcomeIsExplained) {
  const Device device = small_device(sms);
  int others = 0;  // than without drift
  for (int seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    Hypothesis planted = random_named(device, rng);
    planted.set<DispatchBatch>(DispatchBatch::pair);
    planted.set<PairsInFlight>(GetParam());
    DrawnChoices drawn(seed);
    Simulator truth(device, planted);
    Simulator without(device, planted);
    VersionSpace space = space_of(device, planted);
    RecordingSet set{"drawn", device, {}};
    for (int i = 0; i < 2; ++i) {
      const Probe probe = random_grids(rng);
      const Observation seen = truth.run(probe, &drawn);
      others += seen != without.run(probe);
      set.recordings.push_back({probe, facts_of(seen, probe), i == 0, "drawn"});
      space.observe(set.recordings.back());
    }
    EXPECT_TRUE(space.contains(planted)) << describe(planted) << "\n" << words(set.recordings);
    EXPECT_TRUE(mismatches(set, planted).empty()) << describe(planted) << "\n"
                                                  << words(set.recordings);
  }
  EXPECT_GT(others, 100);
}

/// Where nothing tells which block is which, it is explained as well, whatever was drawn.
TEST_P(Drifting, EachOutcomeIsExplainedWhereNumbersAreNotTold) {
  const Device device = small_device(sms);
  for (int seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    Hypothesis planted = in_flight(GetParam());
    DrawnChoices drawn(seed);
    Simulator truth(device, planted);
    VersionSpace space = space_of(device, planted);
    Probe probe = random_grids(rng);
    leave_together(probe);
    std::vector<Fact> facts;
    for (const Fact& fact : facts_of(truth.run(probe, &drawn), probe)) {
      if (fact.kind != Fact::Kind::sm) continue;
      const int count = static_cast<int>(fact.values.size());
      facts.push_back({Fact::Kind::started, fact.step, fact.kernel, {count}, {}});
    }
    space.observe({probe, facts, true, "drawn"});
    EXPECT_TRUE(space.contains(planted)) << to_json(probe).dump();
  }
}

/// Nor where only what starts later tells: how many had joined until then is open.
TEST_P(Drifting, EachOutcomeIsExplainedWhereNumbersAreToldLater) {
  const Device device = small_device(sms);
  const Hypothesis planted = in_flight(GetParam());
  Probe probe = grids({18 * sms}, 256);
  probe.script.push_back({std::nullopt, {{0, {}}}});
  probe.script.push_back({std::nullopt, {{0, {}}}});
  std::set<std::vector<int>> outcomes;
  for (int seed = 0; seed < 60; ++seed) {
    DrawnChoices drawn(seed);
    const Observation seen =
        seed == 0 ? predict(device, planted, probe) : Simulator(device, planted).run(probe, &drawn);
    const std::vector<int> first = sms_of(seen);
    const std::vector<int> then = sms_of(seen, 1);
    ASSERT_LT(first.size() + then.size(), 18U * sms);
    outcomes.insert(then);
    VersionSpace space = space_of(device, planted);
    space.observe({probe,
                   {{Fact::Kind::started, 0, 0, {static_cast<int>(first.size())}, {}},
                    {Fact::Kind::sm, 1, 0, then, {}}},
                   true,
                   "drawn"});
    EXPECT_TRUE(space.contains(planted)) << seed;
  }
  EXPECT_GT(outcomes.size(), 10U);
}

TEST_P(Drifting, IsReadAlikeByZ3) {
  const Device device = small_device(4);
  const Hypothesis planted = in_flight(GetParam());
  for (int seed = 1; seed <= 5; ++seed) {
    const Probe probe = grids({2 * device.sms + 12});
    DrawnChoices drawn(seed);
    std::vector<Fact> facts = facts_of(Simulator(device, planted).run(probe, &drawn), probe);
    SmtSpace constraints(device, between(planted, planted));
    constraints.observe({probe, facts, true, "drawn"});
    EXPECT_TRUE(constraints.admits(planted));
    std::swap(facts[0].values.back(), facts[0].values[probe.kernels[0].blocks - 2]);
    SmtSpace forged(device, between(planted, planted));
    forged.observe({probe, facts, true, "forged"});
    EXPECT_FALSE(forged.admits(planted));
    Refutations refutations(device, between(planted, planted));
    refutations.observe({probe, facts, true, "forged"});
    ASSERT_EQ(refutations.surviving(), SurvivingValues{});
    EXPECT_EQ(ask_z3(refutations.refuted().smt2).kind, SmtAnswer::Kind::unsat);
  }
}

TEST_P(Drifting, WhatIsNoOutcomeIsNotExplained) {
  const Device device = small_device(sms);
  const Probe probe = grids({2 * sms + 30});
  DrawnChoices drawn(1);
  const Hypothesis planted = in_flight(GetParam());
  const Observation seen = Simulator(device, planted).run(probe, &drawn);
  const int last = probe.kernels[0].blocks - 1;
  for (const int other : {last - 1, last - 3}) {
    std::vector<Fact> facts = facts_of(seen, probe);
    ASSERT_NE(facts[0].values[last], facts[0].values[other]);
    std::swap(facts[0].values[last], facts[0].values[other]);
    VersionSpace space = space_of(device, planted);
    space.observe({probe, facts, true, "forged"});
    EXPECT_TRUE(space.empty()) << other;
    EXPECT_FALSE(mismatches({"forged", device, {{probe, facts, true, "forged"}}}, planted).empty());
  }
}

/// One outcome says nothing of what another hypothesis, whose outcomes it is among, could not show.
TEST_P(Drifting, IsToldApartOnlyByWhatIsCertain) {
  const Device device = small_device(sms);
  Simulator drifting(device, in_flight(GetParam()));
  Simulator one(device, in_flight(PairsInFlight::one));
  Simulator two(device, in_flight(PairsInFlight::two));
  Simulator single(device, {});
  const Probe large = grids({1, 2 * sms + 20});
  EXPECT_TRUE(first_parting(one, two, large, {}));
  for (Simulator* other : {&one, &two, &single}) {
    EXPECT_FALSE(first_parting(drifting, *other, large, {}));
  }
  Hypothesis linear = in_flight(GetParam());
  linear.set<TieBreak>(TieBreak::linear);
  Simulator in_line(device, linear);
  EXPECT_FALSE(first_parting(drifting, in_line, large, {}));
  EXPECT_TRUE(first_parting(drifting, in_line, grids({2}), {}));
  EXPECT_EQ(steps_of_one_outcome(device, linear, large), 1);
}

/// Tells the step in which it was asked first.
class AskedMoments : public Choices {
 public:
  bool another_joins(const Choice& moment) override { return asked_in(moment.step); }
  bool counts_late(const Choice& moment) override { return asked_in(moment.step); }
  int first() const { return first_; }

 private:
  bool asked_in(int step) {
    first_ = std::min(first_, step);
    return true;
  }
  int first_ = std::numeric_limits<int>::max();
};

/// What the rows say (AxisValue::several_outcomes) is all that leaves anything open, and that is so
/// only from the step on which the search for probes takes for the first.
TEST(Choices, AreAskedOnlyUnderValuesOfSeveralOutcomes) {
  const Device device = small_device(sms);
  Rng rng(1);
  int asked = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    Hypothesis hypothesis = random_named(device, rng);
    if (trial % 2 == 0) {
      hypothesis.set<DispatchBatch>(DispatchBatch::pair);
      hypothesis.set<PairsInFlight>(static_cast<PairsInFlight::Value>(uniform(rng, 0, 3)));
    }
    const Probe probe = trial % 3 == 0 ? random_probe(device, rng) : random_grids(rng);
    AskedMoments choices;
    Simulator(device, hypothesis).run(probe, &choices);
    if (choices.first() == std::numeric_limits<int>::max()) continue;
    ++asked;
    EXPECT_TRUE(leaves_open(hypothesis)) << describe(hypothesis);
    EXPECT_GE(choices.first(), steps_of_one_outcome(device, hypothesis, probe))
        << describe(hypothesis) << to_json(probe).dump();
  }
  EXPECT_GT(asked, 100);
}

TEST(Choices, OnlyALastResortHasSeveralOutcomes) {
  for (int axis = 0; axis < kAxes; ++axis) {
    for (const AxisValue& value : axis_info(axis).values) {
      EXPECT_LE(value.several_outcomes, value.last_resort) << value.name;
    }
  }
}

/// Where sets of outcomes overlap, a difference shows with some likelihood.
TEST_P(Drifting, IsToldApartByChance) {
  const Device device = small_device(sms);
  const Hypothesis planted = in_flight(GetParam());
  Hypothesis margin = planted;
  margin.set<BatchMargin>(static_cast<BatchMargin::Value>(1));
  const Comparison comparison = compare(device, planted, margin, {});
  ASSERT_EQ(comparison.kind, Comparison::Kind::different) << comparison.reason;
  const Distinction& shown = comparison.distinction.value();
  ASSERT_TRUE(shown.likelihood);
  EXPECT_GT(shown.likelihood->excludes_a, 0);
  EXPECT_GT(shown.likelihood->excludes_b, 0);
  // The outcomes that it shows are the one's and not the other's.
  for (const auto& [own, other, seen] :
       {std::tuple(planted, margin, shown.a), std::tuple(margin, planted, shown.b)}) {
    VersionSpace space = space_of(device, own);
    space.observe({shown.probe, facts_of(seen, shown.probe), true, "shown"});
    EXPECT_FALSE(space.empty());
  }
  VersionSpace space = space_of(device, margin);
  space.observe({shown.probe, facts_of(shown.a, shown.probe), true, "shown"});
  VersionSpace others = space_of(device, planted);
  others.observe({shown.probe, facts_of(shown.b, shown.probe), true, "shown"});
  EXPECT_TRUE(space.empty() || others.empty());
}

/// What never drifts shows nothing that what drifts could not.
TEST_P(Drifting, IsNeverExcludedByWhatItExplains) {
  const Device device = small_device(sms);
  const auto without =
      GetParam() == PairsInFlight::drifting ? PairsInFlight::one : PairsInFlight::two;
  const Comparison comparison = compare(device, in_flight(GetParam()), in_flight(without), {});
  ASSERT_EQ(comparison.kind, Comparison::Kind::different) << comparison.reason;
  const Likelihood likelihood = comparison.distinction.value().likelihood.value();
  EXPECT_EQ(likelihood.excludes_a, 0);
  EXPECT_GT(likelihood.excludes_b, 0);
}

/// It explains what the same without drift does, and is a last resort.
TEST_P(Drifting, IsConsideredOnlyWhereNothingElseIsLeft) {
  const Device device = small_device(sms);
  Assumptions assumptions = between({}, in_flight(PairsInFlight::one));
  assumptions.allowed[index_of<PairsInFlight>()] = ~0u;
  VersionSpace space(device, assumptions);
  const Probe probe = grids({2 * sms + 60});
  const Hypothesis planted = in_flight(GetParam());
  const Hypothesis without =
      in_flight(GetParam() == PairsInFlight::drifting ? PairsInFlight::one : PairsInFlight::two);
  space.observe({probe, facts_of(predict(device, without, probe), probe), true, "without"});
  EXPECT_TRUE(space.contains(without));
  EXPECT_FALSE(space.contains(planted));
  constexpr int many = 50;
  for (int seed = 1; seed <= many && !space.contains(planted); ++seed) {
    DrawnChoices drawn(seed);
    const Observation seen = Simulator(device, planted).run(probe, &drawn);
    space.observe({probe, facts_of(seen, probe), true, "drawn"});
  }
  EXPECT_EQ(space.surviving()[index_of<PairsInFlight>()], std::vector<int>{GetParam()});
}

/// So it is considered before the other.
TEST(PairsInFlight, DriftFromTwoShowsNothingThatDriftCouldNot) {
  const Device device = small_device(sms);
  Rng rng(4);
  for (int trial = 0; trial < 60; ++trial) {
    Hypothesis planted = random_named(device, rng);
    planted.set<DispatchBatch>(DispatchBatch::pair);
    planted.set<PairsInFlight>(PairsInFlight::drifting_from_two);
    const Probe probe = random_grids(rng);
    DrawnChoices drawn(trial);
    const auto facts = facts_of(Simulator(device, planted).run(probe, &drawn), probe);
    Hypothesis drifting = planted;
    drifting.set<PairsInFlight>(PairsInFlight::drifting);
    VersionSpace space = space_of(device, drifting);
    space.observe({probe, facts, true, "drawn"});
    EXPECT_FALSE(space.empty()) << describe(planted) << "\n" << to_json(probe).dump();
  }
}

/// Hypotheses that drift alike have the same sets of outcomes where they are proved alike.
TEST_P(Drifting, IsProvedAlikeWhereItDriftsAlike) {
  const Device device = small_device(sms);
  const Hypothesis planted = in_flight(GetParam());
  Hypothesis device_idle = planted;
  device_idle.set<PointerReset>(PointerReset::device_idle);
  const auto are_alike = [&](const Hypothesis& other) {
    return classify(device, {planted, other}, {}, {}).complete;
  };
  EXPECT_TRUE(are_alike(device_idle));
  EXPECT_FALSE(are_alike(in_flight(PairsInFlight::one)));
  EXPECT_FALSE(are_alike({}));
}

INSTANTIATE_TEST_SUITE_P(
    Law, Drifting, ::testing::Values(PairsInFlight::drifting, PairsInFlight::drifting_from_two),
    [](const auto& info) { return std::string(PairsInFlight::values[info.param].name); });

}  // namespace
}  // namespace cuvier
