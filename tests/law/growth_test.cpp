// From a formula that explains some sessions to one that explains all, one change at a time.

#include "solver/invention/growth.h"

#include <gtest/gtest.h>

#include "hypotheses/formulas/formula.h"
#include "tests/law/planted_sessions.h"

namespace cuvier {
namespace {

struct Sown {
  std::string axis;
  std::string from;
  std::string planted;
};

class GrowthOfFormulas : public ::testing::TestWithParam<Sown> {};

TEST_P(GrowthOfFormulas, ComesToWhatExplainsAll) {
  const Device device = find_device("t4");
  const auto& [name, from, formula] = GetParam();
  const int axis = *find_axis(name);
  const Hypothesis planted = with_formula(axis, formula);
  const auto sessions = sessions_by(device, planted, 120, 1);
  const FormulaInfo& info = info_of(axis);
  const Hypothesis others;
  RuleTrials trials(device, sessions, others, axis, ~0u);
  const FormulaRule own(info, parse_formula(info, from));
  trials.see_inputs([&](int input) { return own(trials.inputs()[input]); });
  const Grown best = grown(info, ~0u, from, from, trials, 1e7, Task());
  EXPECT_EQ(best.explained, trials.sessions()) << best.text;
  EXPECT_FALSE(trials.explains_all([&](int input) { return own(trials.inputs()[input]); }));
  EXPECT_LE(probes_that_differ(device, planted, with_formula(axis, best.text)), 15) << best.text;
}

INSTANTIATE_TEST_SUITE_P(OfOneAxis, GrowthOfFormulas,
                         ::testing::Values(Sown{"queue", "w < head_warps", "w * 2 <= head_warps"},
                                           Sown{"register_granularity",
                                                "(registers * 32 + 255) / 256 * 256",
                                                "max((registers * 32 + 255) / 256 * 256, 1280)"},
                                           Sown{"config_change", "idle == 1 ? target : current",
                                                "idle == 0 ? current : device_idle == 1 ? target : "
                                                "max(current, target)"},
                                           Sown{"priority", "priority", "(priority, w / 5)"}),
                         [](const auto& parameter) { return parameter.param.axis; });

/// What explains all needs no change, and where nothing explains more there is none.
TEST(Growth, EndsWhereNothingIsGained) {
  const Device device = find_device("t4");
  const auto sessions = sessions_by(device, {}, 30, 1);
  const Hypothesis others;
  const FormulaInfo& info = info_of(index_of<Queue>());
  RuleTrials trials(device, sessions, others, index_of<Queue>(), ~0u);
  const Grown same = grown(info, ~0u, "0 == 1", "0 == 1", trials, 1e7, Task());
  EXPECT_EQ(same.text, "0 == 1");
  EXPECT_EQ(same.explained, trials.sessions());
  const Grown poor = grown(info, ~0u, "0 == 1", "0 == 0", trials, 0, Task());
  EXPECT_EQ(poor.text, "0 == 0");
  EXPECT_LT(poor.explained, trials.sessions());
}

}  // namespace
}  // namespace cuvier
