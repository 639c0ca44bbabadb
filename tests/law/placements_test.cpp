// What is learned from where blocks went: tables say what each found, and rules come out of them.

#include "solver/invention/placements.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "hypotheses/scheduler/topology.h"
#include "solver/invention/key_table.h"
#include "solver/invention/placement_rules.h"
#include "tests/law/planted.h"
#include "tests/law/planted_sessions.h"

namespace cuvier {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

/// Of most room the first: what Algorithm 1 does is in its tables.
TEST(Placements, SayWhatAlgorithm1Chooses) {
  const Device device = small_device(6);
  int blocks = 0;
  for (const Session& session : sessions_by(device, {}, 20, 4)) {
    for (const Placement& placement : placements_of(device, {}, session)) {
      ASSERT_GE(placement.chosen, 0) << "where any SM fits, it takes the block";
      const auto key = [](const Contender& sm) {
        return std::tuple(-sm.choice[NameOf<Selection>("room")], sm.rank);
      };
      const auto first = std::ranges::min_element(placement.eligible, {}, key);
      EXPECT_EQ(first - placement.eligible.begin(), placement.chosen);
      ++blocks;
    }
  }
  EXPECT_GT(blocks, 500);
}

/// The most urgent first, then as they joined.
TEST(Turns, SayWhichKernelAlgorithm1Tries) {
  const Device device = small_device(6);
  int turns = 0;
  int overtaken = 0;
  for (const Session& session : sessions_by(device, {}, 600, 4)) {
    for (const Placement& turn : turns_of(device, {}, session)) {
      const auto key = [](const Contender& kernel) {
        return std::tuple(kernel.choice[NameOf<Priority>("priority")], kernel.rank);
      };
      const auto first = std::ranges::min_element(turn.eligible, {}, key);
      EXPECT_EQ(first - turn.eligible.begin(), turn.chosen);
      turns += turn.eligible.size() > 1;
      overtaken += turn.chosen > 0;
    }
  }
  EXPECT_GT(turns, 100);
  EXPECT_GT(overtaken, 10);
}

/// Where others are tried behind a kernel that waits, a turn says nothing of who comes first.
TEST(Turns, AreNoneWhereKernelsPassOneThatWaits) {
  const Device device = small_device(6);
  Hypothesis passing;
  passing.set<Queue>(Queue::skip_ahead);
  for (const Session& session : sessions_by(device, passing, 10, 4)) {
    EXPECT_THAT(turns_of(device, passing, session), IsEmpty());
  }
}

/// Clusters are followed block by block: by Algorithm 1 nothing that could have been taken is
/// passed over. Where SMs refuse blocks, most sessions are still followed to their end.
TEST(Placements, FollowClustersToWhereTheyWent) {
  const Device device = clustered_device(12);
  const Hypothesis refusing = with_formula<Admission>("tpc_blocks < 3 or sm mod 4 > 0");
  for (const Hypothesis& planted : {Hypothesis(), refusing}) {
    int of_clusters = 0;
    int passed_over = 0;
    int complete = 0;
    for (const Session& session : sessions_by(device, planted, 600, 1)) {
      std::ptrdiff_t blocks = 0;
      for (const Fact& fact : session.front().facts) {
        if (fact.kind == Fact::Kind::sm) blocks += std::ssize(fact.values);
      }
      std::ptrdiff_t placed = 0;
      for (const Placement& placement : placements_of(device, {}, session)) {
        placed += placement.chosen >= 0;
        if (!placement.of_cluster) continue;
        ++of_clusters;
        passed_over += placement.chosen;
      }
      EXPECT_LE(placed, blocks);
      complete += placed == blocks;
    }
    EXPECT_GT(of_clusters, 100);
    EXPECT_EQ(passed_over > 0, planted == refusing);
    EXPECT_GE(complete, planted == refusing ? 400 : 600);
  }
}

/// A device that differs in what is no choice among SMs ends the table, and leaves none wrong.
TEST(Placements, EndWhereAnotherRuleIsOtherwise) {
  const Device device = small_device(6);
  Hypothesis other;
  other.set<RoomWarps>(RoomWarps::pooled_blocks);
  other.set<RegisterGranularity>(RegisterGranularity::Value{2});
  int complete = 0;
  for (const Session& session : sessions_by(device, other, 20, 4)) {
    int blocks = 0;
    for (const Recording& recording : session) {
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm) blocks += static_cast<int>(fact.values.size());
      }
    }
    const auto placements = placements_of(device, {}, session);
    EXPECT_LE(std::ranges::count_if(placements, [](const auto& p) { return p.chosen >= 0; }),
              blocks);
    complete += std::ssize(placements) == blocks;
  }
  EXPECT_LT(complete, 20);
}

struct Learned {
  std::string axis;
  std::string formula;
  std::string reader = {};  ///< where the formula is of marks: of the axis
};

std::string name_of(const ::testing::TestParamInfo<Learned>& parameter) {
  std::string name = parameter.param.axis + "_" + parameter.param.formula;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

/// On probes that nothing was learned of. Some may tell the two apart where these sessions do not.
void expect_alike(const Device& device, const Hypothesis& planted, const Hypothesis& found) {
  EXPECT_LE(probes_that_differ(device, planted, found), 6) << describe(found);
}

std::vector<Proposal> learned(const Device& device, const std::vector<Session>& sessions,
                              const Hypothesis& known, int axis) {
  auto found = rules_of_placements(device, sessions, known, axis, Learn::one_rule, 4, Task()).found;
  if (!found.empty()) return found;
  return rules_of_placements(device, sessions, known, axis, Learn::in_cases, 4, Task()).found;
}

class PlacementRules : public ::testing::TestWithParam<Learned> {};

/// What is learned goes the planted way in sessions that were not there.
TEST_P(PlacementRules, AreLearned) {
  const Device device = small_device(6);
  const int axis = *find_axis(GetParam().axis);
  Hypothesis known;
  known.set<CursorReset>(CursorReset::never);
  const Hypothesis planted = with_formula(axis, GetParam().formula, known);
  // In few probes kernels wait for each other.
  const bool is_of_kernels = axis == index_of<Priority>();
  const auto sessions = sessions_by(device, planted, is_of_kernels ? 300 : 40, 4);
  const auto found = learned(device, sessions, known, axis);
  ASSERT_THAT(found, Not(IsEmpty()));
  expect_alike(device, planted, mechanism_of(found.front()));
}

INSTANTIATE_TEST_SUITE_P(
    OfOneAxis, PlacementRules,
    ::testing::Values(Learned{"selection", "(-room, -since)"},
                      Learned{"selection", "(sm - placed) mod sms"},
                      Learned{"selection", "(-room, w >= 3 ? -sm : 0)"},
                      Learned{"selection", "placed < 6 ? -room : 0"},
                      Learned{"selection", "(-room, (sm + joined) mod 2)"},
                      Learned{"selection", "(own, held_registers)"},
                      Learned{"selection", "(-room, (rank - joined) mod sms)"},
                      Learned{"selection", "-power(room + 1)"},
                      Learned{"selection", "(sm / 3 == home / 3 ? 0 : 1, -room)"},
                      Learned{"selection", "warps < 20 ? 0 : 1"}, Learned{"selection", "received"},
                      Learned{"selection", "(held_registers / 1024, rank)"},
                      Learned{"selection", "(-room, abs(sm - previous))"},
                      Learned{"selection", "(-room, picks mod 2 == 0 ? rank : -rank)"},
                      Learned{"selection", "(-room, placed / sms mod 2 == 1 ? -rank : 0)"},
                      Learned{"selection", "(placed mod 2 == 1 and sm == previous ? 0 : 1, -room)"},
                      Learned{"selection", "(picks mod 3 == 0 ? tpc_own : -room, blocks)"},
                      Learned{"selection", "w > 2 ? (sm - placed) mod sms : warps + blocks"},
                      Learned{"selection", "(abs(warps - 12), -room)"},
                      Learned{"selection", "-min(room, left / sms + 1)"},
                      Learned{"admission", "priority < 0 or warps + w < 41"},
                      Learned{"admission", "sm != 3 or w < 3"}, Learned{"admission", "kernels < 1"},
                      Learned{"admission", "device_blocks < 20"},
                      Learned{"admission", "(sm - placed) mod 3 == 0"},
                      Learned{"admission", "(sm * 2 / sms - joined) mod 2 == 1"},
                      Learned{"priority", "(waited < 2 ? 1 : 0, priority)"},
                      Learned{"priority", "priority + placed / 6"},
                      Learned{"priority", "(priority, placed mod 4 == 0 ? turn : 0)"},
                      Learned{"priority", "priority - min(waited / 3, 2)"},
                      Learned{"priority", "(priority, placed / 12)"},
                      Learned{"priority", "(priority, blocks - placed)"},
                      Learned{"priority", "(priority, placed mod 10 < 3 ? 1 : 0)"}),
    name_of);

void expect_learned_of_two_parts(const Device& device, const Hypothesis& planted) {
  const auto sessions = sessions_by(device, planted, 90, 1);
  const int axis =
      planted.get<Admission>() == Admission::any ? index_of<Selection>() : index_of<Admission>();
  const auto found =
      rules_of_placements(device, sessions, {}, axis, Learn::two_parts, 4, Task()).found;
  ASSERT_THAT(found, Not(IsEmpty())) << describe(planted);
  expect_alike(device, planted, mechanism_of(found.front()));
}

/// Of a device on which the known rule is right for nearly all blocks: two keys, though others
/// settle more than the first of them does.
TEST(PlacementRules, AreLearnedWhereFewBlocksTell) {
  const Device device = find_device("t4");
  expect_learned_of_two_parts(device, with_formula<Selection>("(blocks / 4, -room)"));
}

/// Conditions that come before the known rule, and those on two names together.
TEST(PlacementRules, AreLearnedOfTwoNamesTogether) {
  const Device device = small_device(6);
  expect_learned_of_two_parts(
      device, with_formula<Selection>("(tpc_own > 0 and tpc_blocks - tpc_own < 2 ? 0 : 1, -room)"));
  for (const char* formula :
       {"kernels * (warps + w) <= 30", "blocks + kernels < 5", "2 * own <= blocks + 2"}) {
    expect_learned_of_two_parts(device, with_formula<Admission>(formula));
  }
}

/// The known rule with one condition before it or behind it.
TEST(PlacementRules, AreLearnedOfRemainders) {
  const Device device = small_device(6);
  for (const char* formula :
       {"(received mod 7 >= 5 ? 1 : 0, -room)", "(-room, sm mod 5 == 3 ? 0 : 1)"}) {
    expect_learned_of_two_parts(device, with_formula<Selection>(formula));
  }
}

/// Rules that are about clusters, from where these and other blocks went.
TEST(PlacementRules, AreLearnedOfClusters) {
  const Device device = clustered_device(12);
  for (const char* formula : {"tpc_blocks == tpc_clustered and cluster > 0 or tpc_clustered + "
                              "cluster == 0",
                              "cluster < 2 or blocks < 1"}) {
    const Hypothesis planted = with_formula<Admission>(formula);
    const auto sessions = sessions_by(device, planted, 600, 1);
    const auto found = learned(device, sessions, {}, index_of<Admission>());
    ASSERT_THAT(found, Not(IsEmpty())) << formula;
    expect_alike(device, planted, mechanism_of(found.front()));
  }
}

class MarkRules : public ::testing::TestWithParam<Learned> {};

/// The same of rules that read what another one writes down.
TEST_P(MarkRules, AreLearnedTwoAtATime) {
  const Device device = small_device(6);
  const int axis = *find_axis(GetParam().axis);
  const Hypothesis planted =
      with_formula<Mark>(GetParam().formula, with_formula(axis, GetParam().reader));
  const auto sessions = sessions_by(device, planted, 40, 4);
  const auto found =
      rules_of_placements(device, sessions, {}, axis, Learn::with_marks, 4, Task()).found;
  ASSERT_THAT(found, Not(IsEmpty()));
  expect_alike(device, planted, mechanism_of(found.front()));
}

INSTANTIATE_TEST_SUITE_P(
    OfTwoAxes, MarkRules,
    ::testing::Values(
        Learned{"selection", "chosen == 1 ? 1 : more > 0 and marked + 1 >= sms ? 0 : mark",
                "(mark, -room)"},
        Learned{"selection", "chosen == 1 ? mark / 2 + w : more > 0 ? mark / 2 : mark",
                "(mark, -room)"},
        Learned{"selection", "chosen == 1 or gone > 0 ? most + 1 : mark", "(mark, -room)"},
        Learned{"admission", "warps >= 40 ? 1 : warps <= 16 ? 0 : mark", "mark == 0"},
        Learned{"admission", "more > 0 ? mark + 1 : mark", "sm / 2 == mark mod 3"},
        Learned{"selection", "abs(sm - at) == 1 ? mark + more * w : mark", "(mark, -room)"},
        Learned{"admission", "more > 0 and sm / 2 == at / 2 ? joined + 1 : mark",
                "mark == 0 or mark == joined + 1"},
        Learned{"selection", "chosen == 1 ? joined + 1 : mark",
                "(mark == joined + 1 ? 0 : 1, -room)"},
        Learned{"admission", "chosen == 1 ? joined + 1 : mark",
                "mark == joined + 1 or warps < 20"}),
    name_of);

TEST(PlacementKeys, AreNoneWhereNothingWasPlaced) {
  EXPECT_THAT(keys_that_choose({Priority::formula, {}, ~0u}), IsEmpty());
  for (const std::vector<Placement>& placements : {std::vector<Placement>(), {3, Placement()}}) {
    const KeyTable table(Selection::formula, placements, ~0u);
    EXPECT_THAT(keys_that_choose(table), IsEmpty());
    EXPECT_THAT(any_keys_that_choose(table), IsEmpty());
    EXPECT_THAT(keys_that_choose_in_most(table), IsEmpty());
    EXPECT_THAT(keys_in_two_cases(table, "-room"), IsEmpty());
    EXPECT_THAT(keys_by_case(table), IsEmpty());
  }
}

/// Of sessions that another rule makes go wrong, too, nothing has to come out.
TEST(PlacementRules, OneIsLearnedOfSomeSessionsWhereAnotherAxisDiffers) {
  const Device device = small_device(6);
  Hypothesis planted;
  const int selection = index_of<Selection>();
  planted.values[selection] =
      static_cast<std::uint8_t>(formula_value(selection, "(-room, (rank - joined - 1) mod sms)"));
  const int skip = index_of<PointerSkip>();
  planted.values[skip] = static_cast<std::uint8_t>(
      formula_value(skip, "next + (w mod 4 == 0 or registers > 100 ? 1 : 0)"));
  const auto sessions = sessions_by(device, planted, 40, 2);
  const Hypothesis known;
  const auto rules =
      rules_of_placements(device, sessions, known, selection, Learn::one_rule, 4, Task());
  ASSERT_THAT(rules.found, IsEmpty());
  const auto right = std::ranges::count_if(
      sessions, [&](const Session& session) { return explains(device, known, session); });
  const auto best =
      rules_of_placements(device, sessions, known, selection, Learn::most, 1, Task()).best;
  ASSERT_TRUE(best);
  EXPECT_GT(best->explained, right);
  Hypothesis both = mechanism_of(*best);
  both.values[skip] = planted.values[skip];
  const auto explained = std::ranges::count_if(
      sessions, [&](const Session& session) { return explains(device, both, session); });
  EXPECT_EQ(explained, std::ssize(sessions)) << best->formula;
}

/// Where the pointer is shows in slots alone: all placements are as the rule says.
TEST(PlacementRules, OneThatChoosesAsWasSeenIsToldThoughSlotsRefuteIt) {
  const Device device = small_device(6);
  const Hypothesis planted = hypothesis_from_text(
      "selection=warps + blocks,pointer_skip=next + (registers > 100 ? 1 : 0)");
  const auto rules = rules_of_placements(device, sessions_by(device, planted, 40, 2), {},
                                         index_of<Selection>(), Learn::one_rule, 4, Task());
  EXPECT_THAT(rules.found, IsEmpty());
  ASSERT_TRUE(rules.best);
  EXPECT_EQ(rules.best->formula, "warps + blocks");
}

/// A rule of GPCs would be none for a device of which no map is known.
TEST(PlacementRules, ReadOnlyWhatTheDeviceGives) {
  Device device = small_device(6);
  device.gpc_of_sm.clear();
  const std::uint32_t given = given_names(device, Selection::formula);
  ASSERT_NE(given, given_names(small_device(6), Selection::formula));
  Hypothesis planted;
  planted.set<TieBreak>(TieBreak::tpc_interleaved_odd_first);
  const auto found =
      learned(device, sessions_by(device, planted, 40, 1), {}, index_of<Selection>());
  ASSERT_THAT(found, Not(IsEmpty()));
  for (const Proposal& proposal : found) {
    EXPECT_EQ(parse_formula(Selection::formula, proposal.formula).names & ~given, 0U)
        << proposal.formula;
  }
}

/// Where the table has nothing that goes another way, nothing is learned.
TEST(PlacementRules, NothingIsLearnedOfARuleElsewhere) {
  const Device device = small_device(6);
  Hypothesis other;
  other.set<PointerSkip>(PointerSkip::always);
  const auto sessions = sessions_by(device, other, 30, 4);
  for (const int axis : {index_of<Selection>(), index_of<Admission>(), index_of<Priority>()}) {
    EXPECT_THAT(rules_of_placements(device, sessions, {}, axis, Learn::one_rule, 4, Task()).found,
                IsEmpty());
  }
}

}  // namespace
}  // namespace cuvier
