// Rules that nobody wrote: what is searched for them, and what is tried, is what it says.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>

#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "solver/invention/explains.h"
#include "solver/invention/leeway.h"
#include "solver/invention/on_trial.h"
#include "solver/invention/proposals.h"
#include "solver/invention/rule_trials.h"
#include "tests/law/drawn.h"
#include "tests/law/planted.h"
#include "tests/law/planted_sessions.h"

namespace cuvier {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;

/// By the tree of what was answered before, or not.
TEST(RuleTrials, SayWhatThePredictionSays) {
  const Device device = small_device(4);
  const std::string planted = "next + (w >= 3 ? 1 : 0)";
  const std::vector<Session> sessions =
      sessions_by(device, with_formula<PointerSkip>(planted), 6, 4);
  const Hypothesis others;
  const int axis = index_of<PointerSkip>();
  RuleTrials trials(device, sessions, others, axis, ~0u);
  const auto rule = [&](const std::string& text) -> Rule {
    return [formula = parse_formula(info_of(axis), text), &trials](int input) {
      return Evaluation<int, bool>(formula, trials.inputs()[input]).number();
    };
  };
  for (const std::string text : {"next", "next + 1", "0", "w", "next + (w >= 2 ? 1 : 0)",
                                 "next + (w >= 4 ? 1 : 0)", "next + w / 3", "w * next"}) {
    const Hypothesis hypothesis = with_formula<PointerSkip>(text);
    for (int session = 0; session < trials.sessions(); ++session) {
      EXPECT_EQ(trials.explains(session, rule(text)),
                explains(device, hypothesis, sessions[session]))
          << text << ", " << session;
    }
  }
  EXPECT_TRUE(trials.explains_all(rule(planted)));
  const double blocks = trials.blocks();
  EXPECT_TRUE(trials.explains_all(rule(planted)));
  EXPECT_FALSE(trials.explains_all(rule("next")));
  std::vector<int> wrong;
  for (int session = 0; session < trials.sessions(); ++session) {
    if (!trials.explains(session, rule("next"))) wrong.push_back(session);
  }
  EXPECT_TRUE(trials.explains_all(rule("next"), wrong));
  wrong.pop_back();
  EXPECT_FALSE(trials.explains_all(rule("next"), wrong));
  EXPECT_EQ(trials.blocks(), blocks) << "what was predicted is known";
}

TEST(RuleTrials, KnowWhatNoRuleExplains) {
  const Device device = small_device(4);
  Hypothesis linear;
  linear.set<TieBreak>(TieBreak::linear);
  const std::vector<Session> sessions = sessions_by(device, linear, 1, 1);
  const Hypothesis others;
  RuleTrials trials(device, sessions, others, index_of<Queue>(), ~0u);
  EXPECT_FALSE(trials.explains(0, [](int) { return 0; }));
  EXPECT_TRUE(trials.is_hopeless(0) || !trials.inputs().empty());
}

struct Planted {
  std::string_view axis;
  std::string formula;
  std::string_view reads = "";  ///< where others of the axis are planted, too
};

std::string name_of_planted(const ::testing::TestParamInfo<Planted>& parameter) {
  return std::string(parameter.param.axis) + std::string(parameter.param.reads);
}

class Invention : public ::testing::TestWithParam<Planted> {};

/// What is found explains what was recorded, and what comes after it, too.
TEST_P(Invention, FindsTheRuleAgain) {
  const Device device = small_device(6);
  const int axis = *find_axis(GetParam().axis);
  const Hypothesis planted = with_formula(axis, GetParam().formula);
  const Assumptions assumptions = Assumptions::all(device);
  const Proposals proposals =
      propose(device, sessions_by(device, planted, 28, 4), {Hypothesis{}}, assumptions, {}, {});
  ASSERT_THAT(proposals.found, Not(IsEmpty()));
  const Proposal& best = proposals.found.front();
  EXPECT_EQ(axis_info(best.axis).name, GetParam().axis) << best.formula;
  EXPECT_LE(probes_that_differ(device, planted, mechanism_of(best)), 3) << best.formula;
}

INSTANTIATE_TEST_SUITE_P(
    OfOneAxis, Invention,
    ::testing::Values(
        Planted{"pointer_skip", "next + (w >= 3 ? 1 : 0)"}, Planted{"selection", "warps + blocks"},
        Planted{"tie_break", "(sm mod 3, sm)"},
        Planted{"register_granularity", "(registers * 32 + 2047) / 2048 * 2048"},
        // What is too large to be come upon by size.
        Planted{"pointer_skip", "next + registers / 64", "_registers"},
        Planted{"shared_room", "free / (bytes + 1024)", "_bytes"},
        // The kernels with so many blocks come late, or behind
        // what goes wrong.
        Planted{"dispatch_batch", "blocks >= 30"}, Planted{"queue", "0 == 0"},
        // Two rules, and a condition of two parts.
        Planted{"room_warps",
                "w >= 3 and registers < 64 ? min(free, pool) / w : "
                "min(strict, pool) / w"},
        Planted{"shared_granularity",
                "bytes > 2048 and bytes < 20000 ? (bytes + 4095) / 4096 * 4096 : "
                "(bytes + 127) / 128 * 128"},
        Planted{"config_gate", "preferred <= current or w mod 4 == 1"},
        // Of which the table names none.
        Planted{"admission", "blocks < 3 or w < 2"},
        // What changes with each block, and who came first.
        Planted{"selection", "-min(room, left)", "_left"}, Planted{"admission", "own < 3", "_own"},
        Planted{"selection", "(-room, freed)", "_freed"},
        // Groups that nobody named, and warps that go the other way.
        Planted{"hierarchy", "sm mod 3"}, Planted{"warp_placement", "p - i"},
        Planted{"warp_placement", "p + 2 * i", "_p_and_i"},
        Planted{"priority", "(priority, -joined)"},
        // Shares, how long a kernel waits, and whose blocks are near.
        Planted{"config_occupancy", "min(in_space, (grid + 5) / 6)"},
        Planted{"priority", "priority - waited", "_waited"}, Planted{"connection", "0"}),
    name_of_planted);

/// What takes longest.
std::vector<Planted> dear_ones() {
  if (!is_thorough()) return {};
  return {{"shared_room", "bytes > 8192 ? free / bytes : longest / bytes"},
          {"runtime_shared", "w * 128 + 512"},
          {"batch_size", "(left + 11) / 12"},
          // Kernels that take turns, and what all blocks hold together.
          {"priority", "turn"},
          {"local_memory", "local + held >= 2500"},
          // By tables, of which placements_test.cpp asks more.
          {"selection", "(-room, tpc_blocks)", "_tpc_blocks"},
          {"selection", "(-room, -tpc_own)", "_tpc_own"}};
}
INSTANTIATE_TEST_SUITE_P(Dear, Invention, ::testing::ValuesIn(dear_ones()), name_of_planted);

/// A rule may have something outlive a probe under which nothing did: whole sessions tell.
TEST(InventionLaw, ProposesNothingOnTopOfWhatExplainsEverything) {
  const Device device = small_device(6);
  Hypothesis walking;
  walking.set<Selection>(Selection::round_robin);
  Hypothesis planted = walking;
  planted.set<CursorReset>(CursorReset::never);
  Assumptions assumptions = Assumptions::all(device);
  assumptions.allowed[index_of<CursorReset>()] = one_of(CursorReset::device_idle);
  const std::vector<Session> sessions = sessions_by(device, planted, 40, 4);
  const Proposals proposals = propose(device, sessions, {walking}, assumptions, {}, {});
  ASSERT_THAT(proposals.found, Not(IsEmpty()));
  EXPECT_EQ(proposals.found.front().axis, index_of<CursorReset>());
  for (const Proposal& proposal : proposals.found) {
    EXPECT_FALSE(std::ranges::all_of(sessions, [&](const Session& session) {
      return explains(Simulator(device, proposal.hypothesis), session);
    })) << proposal.formula;
    EXPECT_NE(axis_info(proposal.axis).part, Part::clusters) << proposal.formula;
  }
}

TEST(FormulaRule, TuplesAreInTheirOrderHoweverTheyComeUp) {
  const FormulaInfo& info = info_of(index_of<Priority>());
  const FormulaRule rule(info, parse_formula(info, "(priority, -joined)"));
  Rng rng(5);
  std::vector<std::pair<std::vector<int>, int>> said;
  for (int i = 0; i < 300; ++i) {
    const int priority = -uniform(rng, 0, 5);
    const int joined = uniform(rng, 0, 99);
    said.push_back({{priority, -joined}, rule({priority, 1, 1, 32, 0, 0, joined})});
  }
  std::ranges::sort(said);
  for (std::size_t i = 1; i < said.size(); ++i) {
    EXPECT_EQ(said[i - 1].first == said[i].first, said[i - 1].second == said[i].second);
    EXPECT_LE(said[i - 1].second, said[i].second);
  }
}

Proposal proposed(int axis, const std::string& formula) {
  Proposal proposal;
  proposal.axis = axis;
  proposal.formula = formula;
  return proposal;
}

TEST(OnTrial, IsTheMechanismWithTheFormulaAndLeavesNoValueBehind) {
  const int axis = index_of<PointerSkip>();
  const int values = axis_size(axis);
  {
    const OnTrial trial(proposed(axis, "next + 1"));
    Hypothesis always;
    always.set<PointerSkip>(PointerSkip::always);
    const Device device = small_device(4);
    Rng rng(5);
    for (const ProbeFamily& family : probe_families(device)) {
      const Probe probe = family.draw(device, rng);
      EXPECT_EQ(predict(device, trial.mechanism(), probe), predict(device, always, probe));
    }
  }
  EXPECT_EQ(axis_size(axis), values);
}

/// Who is told apart by a probe explains its own answer, and the others do not.
TEST(OnTrial, ProbesTellFormulasApart) {
  const Device device = small_device(4);
  const int axis = index_of<Selection>();
  std::vector<Proposal> proposals;
  for (const std::string formula : {"warps", "blocks", "warps + 0", "-sm"}) {
    proposals.push_back(proposed(axis, formula));
  }
  Rng rng(5);
  std::vector<Probe> probes;
  for (const ProbeFamily& family : probe_families(device)) {
    for (int i = 0; i < 3; ++i) probes.push_back(family.draw(device, rng));
  }
  const auto probe = telling_apart(device, proposals, probes, {});
  ASSERT_TRUE(probe);
  Simulator simulator(device, with_formula<Selection>("warps"));
  const Recording answer{*probe, facts_of(simulator.run(*probe), *probe), true, ""};
  EXPECT_TRUE(explains(device, proposals[0], answer));
  EXPECT_TRUE(explains(device, proposals[2], answer));
  EXPECT_FALSE(explains(device, proposals[1], answer) && explains(device, proposals[3], answer));
  EXPECT_FALSE(telling_apart(device, {proposals[0], proposals[2]}, probes, {}));
}

TEST(Leeway, EndsWhereTheFormulaExplainsLess) {
  const Device device = small_device(4);
  const int axis = index_of<PointerSkip>();
  const Proposal proposal = proposed(axis, "next + (w >= 11 ? 1 : 0) + (registers >= 60 ? 1 : 0)");
  const std::vector<Session> sessions =
      sessions_by(device, with_formula<PointerSkip>(proposal.formula), 6, 3);
  RuleTrials trials(device, sessions, proposal.hypothesis, axis, ~0u);
  const auto explains = [&](int number, int other) {
    const Formula formula =
        parse_formula(info_of(axis), with_number(proposal, number, other).formula);
    return trials.explains_all(
        [&](int input) { return value_of(info_of(axis), formula, trials.inputs()[input]); });
  };
  const std::vector<Leeway> found = leeways(device, sessions, proposal);
  EXPECT_THAT(found, ::testing::SizeIs(::testing::AnyOf(1, 2))) << "few sessions leave some";
  for (const auto& [number, least, most] : found) {
    EXPECT_LE(least, number);
    EXPECT_GE(most, number);
    EXPECT_TRUE(explains(number, least) && explains(number, most)) << number;
    EXPECT_FALSE(explains(number, least - 1) || explains(number, most + 1)) << number;
  }
}

/// The number is 100, and each answer says on which side of the middle it is.
TEST(Leeway, IsHalvedByAnswersUntilNothingTells) {
  using Holds = std::function<bool(int)>;
  int asked = 0;
  const auto which_side = [&](const Leeway&, int middle) {
    ++asked;
    return std::optional<Holds>([=](int other) { return (other > middle) == (100 > middle); });
  };
  const auto left = halved({7, 0, 1 << 20}, 20, which_side);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->least, 100);
  EXPECT_EQ(left->most, 100);
  EXPECT_LE(asked, 21);
  const auto nobody = [](const Leeway&, int) { return std::optional<Holds>(); };
  EXPECT_EQ(halved({7, 0, 50}, 20, nobody)->most, 50) << "in vain";
  const auto none = [](const Leeway&, int) {
    return std::optional<Holds>([](int) { return false; });
  };
  EXPECT_FALSE(halved({7, 0, 50}, 20, none)) << "an answer that contradicts each number";
}

/// 127 and 128 are one number.
TEST(Leeway, LeavesWhatRoundsUpAlone) {
  const Device device = small_device(4);
  const int axis = index_of<SharedGranularity>();
  const Proposal proposal = proposed(axis, "(bytes + 127) / 128 * 128");
  const std::vector<Session> none;
  EXPECT_THAT(leeways(device, none, proposal), ElementsAre(Field(&Leeway::number, 128)));
}

TEST(Leeway, PrefersWhatHardwareCountsWith) {
  EXPECT_EQ((Leeway{12'000, 11'777, 17'408}.roundest()), 16'384);
  EXPECT_EQ((Leeway{7, 5, 7}.roundest()), 6);
  EXPECT_EQ((Leeway{7, 7, 7}.roundest()), 7);
  EXPECT_EQ((Leeway{1, 0, 100}.roundest()), 1);
  EXPECT_EQ((Leeway{5, 3, 1 << 28}.roundest()), 4);
  EXPECT_EQ((Leeway{0, 0, 0}.roundest()), 0);
}

TEST(Proposals, AreNoneWhereNothingIsWrongWithTheRules) {
  const Device device = small_device(4);
  Hypothesis sticky;  // which is no formula, and is not assumed
  sticky.set<Selection>(Selection::sticky_round_robin);
  Assumptions assumptions = Assumptions::all(device);
  assumptions.restrict_by("algorithm-1");
  ProposalLimits limits;
  limits.only = index_of<Queue>();
  const Proposals proposals =
      propose(device, sessions_by(device, sticky, 10, 3), {Hypothesis{}}, assumptions, limits, {});
  EXPECT_THAT(proposals.found, IsEmpty());
}

TEST(Proposals, SayWhichAxesMayBeTheReasonThoughTheSearchIsCutShort) {
  const Device device = small_device(4);
  const Hypothesis planted = with_formula<Selection>("(sm * 7 + blocks * 3 + warps) mod 5");
  bool searches = false;
  const Task task([&](const std::string& doing) {
    searches = searches || doing.find("up to size 4") != std::string::npos;
    return searches ? "interrupted" : "";
  });
  const Proposals proposals = propose(device, sessions_by(device, planted, 10, 3), {Hypothesis{}},
                                      Assumptions::all(device), {}, task);
  EXPECT_EQ(proposals.cut_short, "interrupted");
  EXPECT_FALSE(proposals.searched.empty());
}

}  // namespace
}  // namespace cuvier
