#include "solver/synthesis/synthesis.h"

#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "solver/query_selection/comparison.h"
#include "solver/synthesis/demand_menu.h"
#include "solver/synthesis/sm_script.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> described(const std::vector<SmScript>& scripts) {
  std::vector<std::string> texts;
  for (const SmScript& script : scripts) texts.push_back(describe(script));
  return texts;
}

TEST(SmScripts, AreAllThatMayHappenUpToSymmetry) {
  EXPECT_THAT(described(sm_scripts(1)), ElementsAre("place 1"));
  EXPECT_THAT(described(sm_scripts(3)),
              ElementsAre("place 1, place 2, place 3", "place 1, release 1, place 2"));
  // Of two releases in a row, one order stands for both.
  EXPECT_THAT(
      described(sm_scripts(5)),
      testing::AllOf(
          testing::Contains("place 1, place 2, release 1, release 2, place 3"),
          testing::Not(testing::Contains("place 1, place 2, release 2, release 1, place 3"))));
}

TEST(SmScripts, ASecondSmReleasesOnlyWhatItHas) {
  EXPECT_THAT(described(with_second_sm(sm_scripts(3)[1])),
              ElementsAre("place 1, release 1, place 2", "place 1+, release 1, place 2"));
}

class SynthesisOf : public ::testing::Test {
 protected:
  Synthesis synthesised(const std::string& a, const std::string& b,
                        const SynthesisOptions& options) {
    const Hypothesis under_a = hypothesis_from_text(a);
    const Hypothesis under_b = hypothesis_from_text(b);
    return synthesise(device_, under_a, under_b, options,
                      [&](const Probe& probe) { return differ(under_a, under_b, probe); });
  }

  bool differ(const Hypothesis& a, const Hypothesis& b, const Probe& probe) const {
    return without_channels(predict(device_, a, probe)) !=
           without_channels(predict(device_, b, probe));
  }

  Device device_ = small_device(8);
};

struct Pair {
  const char* a;
  const char* b;
};

class WithinAnSm : public SynthesisOf, public ::testing::WithParamInterface<Pair> {};

TEST_P(WithinAnSm, ADifferenceIsFoundWithoutSearch) {
  SynthesisOptions options;
  options.seconds = 120;
  options.limits.seconds = 60;
  const Synthesis synthesis = synthesised(GetParam().a, GetParam().b, options);
  ASSERT_EQ(synthesis.kind, Synthesis::Kind::found) << synthesis.reason;
  validate(*synthesis.probe, device_, "synthesised");
  EXPECT_TRUE(differ(hypothesis_from_text(GetParam().a), hypothesis_from_text(GetParam().b),
                     *synthesis.probe));
}

INSTANTIATE_TEST_SUITE_P(Pairs, WithinAnSm,
                         ::testing::Values(Pair{"algorithm-1", "shared_placement=best_fit"},
                                           Pair{"algorithm-1", "shared_placement=fragmented"},
                                           Pair{"shared_placement=best_fit",
                                                "shared_placement=fragmented"},
                                           Pair{"algorithm-1", "register_layout=contiguous"},
                                           Pair{"pointer_skip=none", "pointer_skip=always"},
                                           Pair{"algorithm-1", "register_granularity=512"},
                                           Pair{"algorithm-1", "runtime_shared=0"},
                                           Pair{"algorithm-1", "config_gate=space_only"},
                                           Pair{"algorithm-1", "shared_room=total_free"},
                                           Pair{"algorithm-1", "room_warps=strict_warps"}));

TEST_F(SynthesisOf, WhatIsProvedEquivalentIsSoWithinTheBound) {
  SynthesisOptions options;
  options.actions = 3;
  options.seconds = 120;
  options.limits.seconds = 60;
  const Synthesis synthesis = synthesised("bfa", "bfa,pointer_reset=never", options);
  EXPECT_EQ(synthesis.kind, Synthesis::Kind::none) << synthesis.reason;
  EXPECT_THAT(synthesis.reason, HasSubstr("up to 3 actions"));
  EXPECT_GT(synthesis.queries, 0);
}

TEST_F(SynthesisOf, NothingThatIsRefusedIsReturned) {
  SynthesisOptions options;
  options.actions = 1;
  int refused = 0;
  const Synthesis synthesis =
      synthesise(device_, {}, hypothesis_from_text("register_granularity=512"), options,
                 [&](const Probe&) { return ++refused == 0; });
  EXPECT_EQ(synthesis.kind, Synthesis::Kind::none) << synthesis.reason;
  EXPECT_EQ(synthesis.tried, refused);
  EXPECT_GT(refused, 0);
  EXPECT_THAT(synthesis.reason, HasSubstr("not shown to differ"));
}

TEST_F(SynthesisOf, ASolverThatGivesUpIsNamedWithItsQuery) {
  SynthesisOptions options;
  options.actions = 2;
  options.limits.seconds = 1e-6;
  const Synthesis synthesis = synthesised("bfa", "bfa,register_granularity=512", options);
  EXPECT_EQ(synthesis.kind, Synthesis::Kind::gave_up);
  EXPECT_THAT(synthesis.reason,
              HasSubstr("gave up on \"place 1, place 2\": it reached its time limit"));
}

}  // namespace
}  // namespace cuvier
