// What is otherwise for some kinds of blocks, kernels, or the device: found from sessions alone.

#include "solver/invention/exceptions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hypotheses/axes/demand.h"
#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "solver/invention/conditions.h"
#include "solver/invention/rules_by_kind.h"
#include "solver/invention/two_cases.h"
#include "tests/law/planted.h"
#include "tests/law/planted_sessions.h"

namespace cuvier {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Conditions, HoldForTheOnesAndForNoneOfTheOthers) {
  const std::span<const FormulaName> names = asked::all;
  Rng rng(2);
  for (const std::string planted :
       {"w >= 5 and w < 8", "registers < 41 and w >= 6", "bytes mod 256 == 0 and registers > 99",
        "w < 4 or bytes >= 8192", "w mod 2 == 1", "registers == 32",
        "w < 9 or registers < 97 and bytes >= 8192",
        "w >= 5 and (registers < 97 or bytes < 4096)"}) {
    const ConditionOnKinds holds = condition_on(names, planted);
    Kinds ones;
    Kinds others;
    for (int i = 0; i < 300; ++i) {
      const Kind kind{uniform(rng, 1, 32), 8 * uniform(rng, 2, 31), 128 * uniform(rng, 0, 200)};
      (holds(kind) ? ones : others).insert(kind);
    }
    const auto found = conditions_that_part(names, ones, others);
    EXPECT_THAT(found, Not(IsEmpty())) << planted;
    for (const std::string& condition : found) {
      const ConditionOnKinds learned = condition_on(names, condition);
      EXPECT_TRUE(std::ranges::all_of(ones, learned)) << planted << ": " << condition;
      EXPECT_TRUE(std::ranges::none_of(others, learned)) << planted << ": " << condition;
    }
  }
  EXPECT_THAT(
      conditions_that_part(names, {{4, 32, 0}, {8, 32, 0}}, {{6, 32, 0}, {4, 64, 0}, {4, 32, 128}}),
      Contains("w mod 4 == 0 and registers < 33 and bytes == 0"));
}

/// What a kind of blocks takes is known from the sessions alone.
TEST(TwoCases, LearnsTheConditionFromWhatEachKindTakes) {
  const Device device = small_device(4);
  const int axis = index_of<RegisterGranularity>();
  const FormulaInfo& info = info_of(axis);
  const std::string fine = "(registers * 32 + 255) / 256 * 256";
  const std::string coarse = "(registers * 32 + 1023) / 1024 * 1024";
  const auto sessions = sessions_by(
      device,
      with_formula<RegisterGranularity>("w > 4 and registers > 40 ? " + coarse + " : " + fine), 120,
      1);
  const Hypothesis others;
  RuleTrials trials(device, sessions, others, axis, ~0u);
  const auto rule = [&](const std::string& text) -> Rule {
    return [&, formula = parse_formula(info, text)](int input) {
      return value_of(info, formula, trials.inputs()[input]);
    };
  };
  std::vector<int> wrong;
  for (int s = 0; s < trials.sessions(); ++s) {
    if (!trials.explains(s, rule(fine))) wrong.push_back(s);
  }
  ASSERT_THAT(wrong, Not(IsEmpty()));
  RulesByKind two(trials, info, rule(fine), rule(coarse));
  const auto conditions = conditions_between(two, wrong, 1e9, {});
  ASSERT_THAT(conditions, Not(IsEmpty()));
  for (const std::string& condition : conditions) {
    EXPECT_TRUE(trials.explains_all(rule(fmt::format("{} ? {} : {}", condition, coarse, fine))))
        << condition;
  }
  // Nothing makes up for a rule that is neither of the two.
  RulesByKind none(trials, info, rule(fine), rule("registers"));
  EXPECT_THAT(conditions_between(none, wrong, 1e9, {}), IsEmpty());
}

/// A deviation that no formula says, for blocks of two bounds.
TEST(Exceptions, AreFoundWithTheKernelsThatTheyAreFor) {
  const Device device = small_device(4);
  Rng rng(5);
  const auto families = probe_families(device);
  for (const std::string_view of : {"warp_placement=least_loaded", "takes warps by fours"}) {
    std::vector<Deviation> all = deviations(device, {}, rng);
    const Exception planted{
        {}, *std::ranges::find(all, of, &Deviation::words), "w >= 3 and registers < 60"};
    std::vector<Session> sessions;
    for (int s = 0; s < 150; ++s) {
      SpecialCase mechanism = mechanism_of(device, planted);
      mechanism.begin_session();
      const Probe probe = families[rng() % families.size()].draw(device, rng);
      const Recording unseen{probe, {}, true, ""};
      sessions.push_back({{probe, facts_of(mechanism.replay(unseen), probe), true, ""}});
    }
    const auto found = exceptions_that_explain(device, sessions, {}, all, 1e9, {});
    ASSERT_THAT(found, Not(IsEmpty())) << of;
    EXPECT_EQ(found.front().deviation.words, of);
    int differ = 0;
    for (int i = 0; i < 200; ++i) {
      const Probe probe = families[rng() % families.size()].draw(device, rng);
      SpecialCase one = mechanism_of(device, planted);
      SpecialCase other = mechanism_of(device, found.front());
      one.begin_session();
      other.begin_session();
      differ += one.preview(probe) != other.preview(probe);
    }
    EXPECT_LE(differ, 10) << found.front().condition;
  }
}

class OtherFact : public ::testing::TestWithParam<DeviceCorrection> {};

TEST_P(OtherFact, IsFoundWhereItAloneExplainsEverything) {
  const Device documented = small_device(8);
  const Device real = corrected(documented, {GetParam()});
  const Hypothesis mechanism;
  const auto sessions = sessions_by(real, mechanism, 60, 2);
  EXPECT_THAT(corrections_that_explain(documented, sessions, mechanism, {}), Contains(GetParam()));
  EXPECT_THAT(corrections_that_explain(real, sessions, mechanism, {}), IsEmpty());
  Hypothesis other;
  other.set<TieBreak>(TieBreak::linear);
  EXPECT_THAT(corrections_that_explain(documented, sessions, other, {}), IsEmpty());
  other.set<TieBreak>(TieBreak::learned);
  other.order = named_order(documented, TieBreak::linear);
  EXPECT_THAT(corrections_that_explain(documented, sessions, other, {}), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Each, OtherFact,
                         ::testing::Values(DeviceCorrection{"max_warps_per_sm", 48, 44},
                                           DeviceCorrection{"max_blocks_per_sm", 16, 15},
                                           DeviceCorrection{"registers_per_sm", 65536, 61440},
                                           DeviceCorrection{"shared_configs[2]", 32768, 0},
                                           DeviceCorrection{"shared_configs[4]", 102400, 103424},
                                           DeviceCorrection{"tpc_of_sm", 1, 2}));

}  // namespace
}  // namespace cuvier
