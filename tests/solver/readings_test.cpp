#include "solver/evidence/readings.h"

#include <gtest/gtest.h>

#include "probes/json_fields.h"
#include "probes/opening.h"

namespace cuvier {
namespace {

/// A kernel of two blocks, then one of a single block: where they went.
Recording reading(std::vector<int> first, std::vector<int> second) {
  Probe probe{
      "p1", {{"a", 2, 32, 32, 0, 0, 0, {}}, {"b", 1, 32, 32, 0, 0, 0, {}}}, {{0, {}}, {1, {}}}};
  std::vector<Fact> facts;
  if (!first.empty()) facts.push_back({Fact::Kind::sm, 0, 0, std::move(first), {}});
  if (!second.empty()) facts.push_back({Fact::Kind::sm, 1, 1, std::move(second), {}});
  return {probe, facts, true, {}};
}

TEST(Readings, AreSettledPartByPart) {
  // Each of these is wrong somewhere, but no two in the same way.
  Readings readings(reading({0, 2}, {3}));
  readings.add(reading({2, 0}, {1}));
  readings.add(reading({0, 2}, {}));
  readings.add(reading({0}, {1}));
  readings.add(reading({0, 2}, {1}));
  readings.add(reading({0, 2}, {1}));
  EXPECT_EQ(readings.lead(), 3);
  EXPECT_EQ(readings.outcome().facts, reading({0, 2}, {1}).facts);
  EXPECT_EQ(readings.differing(), 4);
}

TEST(Readings, EndBeforeTheFirstStepThatIsNotSettled) {
  Readings readings(reading({0, 2}, {1}));
  readings.add(reading({0, 2}, {3}));
  readings.add(reading({0, 2}, {1}));
  EXPECT_EQ(readings.lead(), 1);
  EXPECT_EQ(readings.lead_of_outcome(), 3);
  EXPECT_EQ(readings.outcome().probe.script.size(), 1u);
  EXPECT_EQ(readings.outcome().facts, reading({0, 2}, {}).facts);
  EXPECT_EQ(readings.differing(), 0) << "of what counts";
}

TEST(Readings, ThatSayNothingOfAKernelSayThatItDidNotStart) {
  Readings readings(reading({0, 2}, {}));
  readings.add(reading({0, 2}, {}));
  readings.add(reading({0, 2}, {1}));
  readings.add(reading({0, 2}, {}));
  readings.add(reading({0, 2}, {}));
  EXPECT_EQ(readings.lead(), 3);
  EXPECT_EQ(readings.outcome().facts, reading({0, 2}, {}).facts);
}

TEST(Readings, AreComparedWhereSessionsBeganAlike) {
  const auto opened_on = [](int sm, std::vector<int> first) {
    Recording opened = reading(std::move(first), {1});
    const Probe probe{"o", {{"k", 1, 32, 32, 0, 0, 0, {}}}, {{0, {}}}};
    opened.opening = std::make_shared<Opening>(
        probe, std::vector<Fact>{{Fact::Kind::sm, 0, 0, {sm}, {}}}, Place("o"));
    return opened;
  };
  Readings readings(opened_on(3, {2, 0}));
  readings.add(opened_on(1, {0, 2}));
  readings.add(opened_on(2, {2, 0}));
  EXPECT_EQ(readings.comparable(), 1);
  readings.add(opened_on(1, {0, 2}));
  readings.add(opened_on(4, {2, 0}));
  readings.add(opened_on(1, {0, 2}));
  EXPECT_EQ(readings.count(), 6);
  EXPECT_EQ(readings.comparable(), 3);
  EXPECT_EQ(readings.lead(), 3);
  EXPECT_EQ(readings.differing(), 0);
  EXPECT_EQ(readings.outcome().facts, reading({0, 2}, {1}).facts);
  ASSERT_TRUE(readings.outcome().opening);
  EXPECT_EQ(readings.outcome().opening->latest()[0].sm, 1);
}

}  // namespace
}  // namespace cuvier
