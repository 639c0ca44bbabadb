#include "solver/evidence/runs.h"

#include <gtest/gtest.h>

#include "probes/initial_observation.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// A kernel of two blocks, then one of a single block: where they went.
Recording run(std::vector<int> first, std::vector<int> second) {
  Probe probe{
      "p1", {{"a", 2, 32, 32, 0, 0, 0, {}}, {"b", 1, 32, 32, 0, 0, 0, {}}}, {{0, {}}, {1, {}}}};
  std::vector<Fact> facts;
  if (!first.empty()) facts.push_back({Fact::Kind::sm, 0, 0, std::move(first), {}});
  if (!second.empty()) facts.push_back({Fact::Kind::sm, 1, 1, std::move(second), {}});
  return {probe, facts, true, {}};
}

TEST(Runs, AreSettledPartByPart) {
  // Each of these is wrong somewhere, but no two in the same way.
  Runs runs(run({0, 2}, {3}));
  runs.add(run({2, 0}, {1}));
  runs.add(run({0, 2}, {}));
  runs.add(run({0}, {1}));
  runs.add(run({0, 2}, {1}));
  runs.add(run({0, 2}, {1}));
  EXPECT_EQ(runs.lead(), 3);
  EXPECT_EQ(runs.outcome().facts, run({0, 2}, {1}).facts);
  EXPECT_EQ(runs.differing(), 4);
}

TEST(Runs, EndBeforeTheFirstStepThatIsNotSettled) {
  Runs runs(run({0, 2}, {1}));
  runs.add(run({0, 2}, {3}));
  runs.add(run({0, 2}, {1}));
  EXPECT_EQ(runs.lead(), 1);
  EXPECT_EQ(runs.lead_of_outcome(), 3);
  EXPECT_EQ(runs.outcome().probe.script.size(), 1u);
  EXPECT_EQ(runs.outcome().facts, run({0, 2}, {}).facts);
  EXPECT_EQ(runs.differing(), 0) << "of what counts";
}

TEST(Runs, AreOfOneProbeWhereverTheyEnd) {
  const Runs runs(run({0, 2}, {1}));
  Recording shorter = run({0, 2}, {});
  shorter.probe.script.pop_back();
  EXPECT_TRUE(runs.are_of_probe_in(shorter));
  Recording other = run({0, 2}, {1});
  other.probe.script = {{1, {}}, {0, {}}};
  EXPECT_FALSE(runs.are_of_probe_in(other));
  Recording named = run({0, 2}, {1});
  named.probe.name = "p2";
  EXPECT_FALSE(runs.are_of_probe_in(named));
}

TEST(Runs, EndWhereTheShortestEnds) {
  Runs runs(run({0, 2}, {1}));
  runs.add(first_steps(run({0, 2}, {1}), 1));
  runs.add(run({0, 2}, {1}));
  runs.add(run({0, 2}, {1}));
  EXPECT_EQ(runs.lead(), 4);
  EXPECT_EQ(runs.outcome().probe.script.size(), 1u);
  EXPECT_EQ(runs.outcome().facts, run({0, 2}, {}).facts);
}

TEST(Runs, ThatSayNothingOfAKernelSayThatItDidNotStart) {
  Runs runs(run({0, 2}, {}));
  runs.add(run({0, 2}, {}));
  runs.add(run({0, 2}, {1}));
  runs.add(run({0, 2}, {}));
  runs.add(run({0, 2}, {}));
  EXPECT_EQ(runs.lead(), 3);
  EXPECT_EQ(runs.outcome().facts, run({0, 2}, {}).facts);
}

TEST(Runs, AreComparedWhereSessionsBeganAlike) {
  const auto opened_on = [](int sm, std::vector<int> first) {
    Recording opened = run(std::move(first), {1});
    const Probe probe{"o", {{"k", 1, 32, 32, 0, 0, 0, {}}}, {{0, {}}}};
    opened.opening = std::make_shared<InitialObservation>(
        probe, std::vector<Fact>{{Fact::Kind::sm, 0, 0, {sm}, {}}}, Place("o"));
    return opened;
  };
  Runs runs(opened_on(3, {2, 0}));
  runs.add(opened_on(1, {0, 2}));
  runs.add(opened_on(2, {2, 0}));
  EXPECT_EQ(runs.comparable(), 1);
  runs.add(opened_on(1, {0, 2}));
  runs.add(opened_on(4, {2, 0}));
  runs.add(opened_on(1, {0, 2}));
  EXPECT_EQ(runs.count(), 6);
  EXPECT_EQ(runs.comparable(), 3);
  EXPECT_EQ(runs.lead(), 3);
  EXPECT_EQ(runs.differing(), 0);
  EXPECT_EQ(runs.outcome().facts, run({0, 2}, {1}).facts);
  ASSERT_TRUE(runs.outcome().opening);
  EXPECT_EQ(runs.outcome().opening->latest()[0].sm, 1);
}

}  // namespace
}  // namespace cuvier
