#include "probes/fact.h"

#include <gtest/gtest.h>

#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using Kind = Fact::Kind;
using samples::with;

// Indices into the sample probe, in which k2 stands first.
constexpr int k2 = 0;
constexpr int k1 = 1;
constexpr int k3 = 2;

Fact fact(Kind kind, int step, int kernel, std::vector<int> values) {
  return {kind, step, kernel, std::move(values), {}};
}

Fact slots(int step, int kernel, WarpSlots values) {
  return {Kind::warp_slot, step, kernel, {}, std::move(values)};
}

bool holds(const Fact& fact) { return agrees(fact, samples::observation(), samples::probe()); }

TEST(Fact, ListsTheFactsOfAFullObservation) {
  const std::vector<Fact> expected = {
      fact(Kind::sm, 0, k2, {0, 2, 1, 3}),
      slots(0, k2, {{0, 1}, {0, 1}, {0, 1}, {4, 5}}),
      fact(Kind::shared_config, -1, k2, {8192}),
      fact(Kind::sm, 1, k1, {0}),
      slots(1, k1, {{6}}),
      fact(Kind::sm, 2, k1, {2}),
      slots(2, k1, {{3}}),
      fact(Kind::started, 4, k3, {0}),
  };
  EXPECT_EQ(facts_of(samples::observation(), samples::probe()), expected);
}

TEST(Fact, SaysThatALaunchedKernelWaits) {
  Observation observation = samples::observation();
  observation.steps[1].started.clear();
  const std::vector<Fact> facts = facts_of(observation, samples::probe());
  // k2 has started all of its blocks and k3 is not launched: neither waits.
  EXPECT_EQ(facts[3], fact(Kind::started, 1, k1, {0}));
  EXPECT_EQ(facts[4], fact(Kind::sm, 2, k1, {2}));
  // One of k1's two blocks is still missing in the steps after.
  EXPECT_EQ(facts[6], fact(Kind::started, 3, k1, {0}));
}

TEST(Fact, OfAnObservationAgreesWithIt) {
  for (const Fact& fact : facts_of(samples::observation(), samples::probe())) {
    EXPECT_TRUE(holds(fact)) << describe(fact, samples::probe());
  }
}

TEST(Agrees, ComparesSmsInBlockOrder) {
  EXPECT_FALSE(holds(fact(Kind::sm, 0, k2, {0, 1, 2, 3})));
  EXPECT_FALSE(holds(fact(Kind::sm, 0, k2, {0, 2, 1})));
  EXPECT_FALSE(holds(fact(Kind::sm, 1, k2, {0})));
  EXPECT_TRUE(holds(fact(Kind::sm, 1, k2, {})));
}

TEST(Agrees, ComparesSetsWithoutOrder) {
  EXPECT_TRUE(holds(fact(Kind::sm_set, 0, k2, {0, 1, 2, 3})));
  EXPECT_FALSE(holds(fact(Kind::sm_set, 0, k2, {0, 1, 2})));
  Observation observation = samples::observation();
  observation.steps[0].started[0].sm = {0, 1, 1, 3};
  EXPECT_FALSE(agrees(fact(Kind::sm_set, 0, k2, {0, 1, 3}), observation, samples::probe()));
}

TEST(Agrees, CountsBlocks) {
  EXPECT_TRUE(holds(fact(Kind::started, 0, k2, {4})));
  EXPECT_FALSE(holds(fact(Kind::started, 0, k2, {3})));
  EXPECT_TRUE(holds(fact(Kind::started, 3, k1, {0})));
}

TEST(Agrees, KnowsWhetherAnyStarts) {
  EXPECT_TRUE(holds(fact(Kind::starts, 1, k1, {1})));
  EXPECT_FALSE(holds(fact(Kind::starts, 1, k1, {0})));
  EXPECT_TRUE(holds(fact(Kind::starts, 4, k3, {0})));
  EXPECT_FALSE(holds(fact(Kind::starts, 4, k3, {1})));
}

TEST(Agrees, KnowsWhetherAllStart) {
  EXPECT_TRUE(holds(fact(Kind::complete, 0, k2, {1})));
  EXPECT_FALSE(holds(fact(Kind::complete, 0, k2, {0})));
  EXPECT_TRUE(holds(fact(Kind::complete, 1, k1, {0})));
  EXPECT_FALSE(holds(fact(Kind::complete, 1, k1, {1})));
}

TEST(Agrees, ComparesWarpSlotsModuloSubpartitions) {
  EXPECT_TRUE(holds(slots(0, k2, {{0, 1}, {0, 1}, {0, 1}, {0, 1}})));
  EXPECT_TRUE(holds(slots(1, k1, {{2}})));
  EXPECT_FALSE(holds(slots(1, k1, {{3}})));
  EXPECT_FALSE(holds(slots(1, k1, {})));
  EXPECT_FALSE(holds(slots(4, k3, {{0}})));
}

TEST(Agrees, LetsAnUnobservedChannelPass) {
  Observation observation = samples::observation();
  observation.steps[0].started[0].warp_slot.clear();
  observation.steps[0].shared_config.clear();
  const Probe probe = samples::probe();
  EXPECT_TRUE(agrees(slots(0, k2, {{3, 3}, {3, 3}, {3, 3}, {3, 3}}), observation, probe));
  EXPECT_FALSE(agrees(slots(0, k2, {{3, 3}}), observation, probe));
  EXPECT_TRUE(agrees(fact(Kind::shared_config, -1, k2, {1}), observation, probe));
}

TEST(Agrees, LooksForTheConfigurationAtTheLaunch) {
  EXPECT_TRUE(holds(fact(Kind::shared_config, -1, k2, {8192})));
  EXPECT_FALSE(holds(fact(Kind::shared_config, -1, k2, {16384})));
  EXPECT_TRUE(holds(fact(Kind::shared_config, -1, k1, {16384})));
}

TEST(Describe, SpeaksInTheFactsOwnWords) {
  const Probe probe = samples::probe();
  const auto words = [&](const Fact& fact) { return describe(fact, probe); };
  EXPECT_EQ(words(fact(Kind::sm, 0, k2, {0, 2, 1, 3})), "step 0, k2: starts on SMs 0, 2, 1, 3");
  EXPECT_EQ(words(fact(Kind::sm, 0, k2, {})), "step 0, k2: starts no block");
  EXPECT_EQ(words(fact(Kind::sm_set, 1, k2, {0, 2})), "step 1, k2: starts on SMs {0, 2}");
  EXPECT_EQ(words(fact(Kind::started, 1, k1, {1})), "step 1, k1: starts 1 block");
  EXPECT_EQ(words(fact(Kind::started, 1, k1, {0})), "step 1, k1: starts 0 blocks");
  EXPECT_EQ(words(fact(Kind::starts, 1, k1, {1})), "step 1, k1: starts a block");
  EXPECT_EQ(words(fact(Kind::starts, 1, k1, {0})), "step 1, k1: starts no block");
  EXPECT_EQ(words(fact(Kind::complete, 1, k1, {1})), "step 1, k1: starts all of its blocks");
  EXPECT_EQ(words(fact(Kind::complete, 1, k1, {0})),
            "step 1, k1: does not start all of its blocks");
  EXPECT_EQ(words(slots(0, k2, {{0, 1}, {2, 3}})),
            "step 0, k2: its warps take the slots 0, 1, 2, 3");
  EXPECT_EQ(words(fact(Kind::shared_config, -1, k2, {8192})),
            "k2: its target configuration is 8192 bytes of shared memory");
  EXPECT_EQ(words(fact(Kind::sm, 0, k2, std::vector<int>(40, 7))),
            "step 0, k2: starts on SMs 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, ... "
            "(40 in all)");
}

/// A recording line of the sample probe with these facts.
std::string recording_text(const std::string& facts) {
  std::string probe = samples::probe_text;
  probe.pop_back();
  return with(probe, "{", R"({"type":"recording",)") + R"(,"facts":)" + facts + "}";
}

Recording read_recording(const std::string& facts) {
  return recording_from_json(parse_json(recording_text(facts), "r.jsonl:2"), samples::device(),
                             "r.jsonl:2");
}

const char* const every_kind =
    R"([{"step":0,"kernel":"k2","sm":[0,2,1,3]},{"step":0,"kernel":"k2","sm_set":[0,1,2,3]},)"
    R"({"step":1,"kernel":"k1","started":1},{"step":4,"kernel":"k3","starts":false},)"
    R"({"step":2,"kernel":"k1","complete":true},{"step":1,"kernel":"k1","warp_slot":[[6]]},)"
    R"({"kernel":"k1","shared_config":8192}])";

TEST(Recording, IsWrittenAsItIsRead) {
  EXPECT_EQ(to_json(read_recording(every_kind)).dump(), recording_text(every_kind));
}

TEST(Recording, ReadsEveryKindOfFact) {
  const std::vector<Fact> expected = {
      fact(Kind::sm, 0, k2, {0, 2, 1, 3}),       fact(Kind::sm_set, 0, k2, {0, 1, 2, 3}),
      fact(Kind::started, 1, k1, {1}),           fact(Kind::starts, 4, k3, {0}),
      fact(Kind::complete, 2, k1, {1}),          slots(1, k1, {{6}}),
      fact(Kind::shared_config, -1, k1, {8192}),
  };
  EXPECT_EQ(read_recording(every_kind).facts, expected);
}

TEST(Recording, SortsASet) {
  EXPECT_EQ(read_recording(R"([{"step":0,"kernel":"k2","sm_set":[3,0,2,1]}])").facts[0].values,
            (std::vector<int>{0, 1, 2, 3}));
}

struct FaultyFact {
  const char* fact;
  const char* message;
};

class BrokenFact : public ::testing::TestWithParam<FaultyFact> {};

TEST_P(BrokenFact, IsRefused) {
  EXPECT_EQ(samples::message_of([&] { read_recording(std::string("[") + GetParam().fact + "]"); }),
            std::string("r.jsonl:2: facts[0]") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Fact, BrokenFact,
    ::testing::Values(
        FaultyFact{R"(7)", ": must be an object, not 7"},
        FaultyFact{R"({"step":0,"started":1})", ".kernel: is missing; add it"},
        FaultyFact{R"({"step":0,"kernel":"k9","started":1})",
                   ".kernel: \"k9\" is not among the kernels; declare it there"},
        FaultyFact{
            R"({"step":0,"kernel":"k2"})",
            ": must have exactly one of sm, sm_set, started, starts, complete, warp_slot and "
            "shared_config"},
        FaultyFact{
            R"({"step":0,"kernel":"k2","started":4,"complete":true})",
            ": must have exactly one of sm, sm_set, started, starts, complete, warp_slot and "
            "shared_config"},
        FaultyFact{R"({"kernel":"k2","started":4})", ".step: is missing; add it"},
        FaultyFact{R"({"step":5,"kernel":"k2","started":4})", ".step: 5 is too large; at most 4"},
        FaultyFact{R"({"step":0,"kernel":"k1","started":0})",
                   ".step: 0 is before the launch of \"k1\""},
        FaultyFact{R"({"step":0,"kernel":"k2","started":5})",
                   ".started: 5 is too large; at most 4"},
        FaultyFact{R"({"step":0,"kernel":"k2","started":true})",
                   ".started: must be an integer, not true"},
        FaultyFact{R"({"step":0,"kernel":"k2","starts":1})",
                   ".starts: must be true or false, not 1"},
        FaultyFact{R"({"step":0,"kernel":"k2","complete":"yes"})",
                   ".complete: must be true or false, not \"yes\""},
        FaultyFact{R"({"step":0,"kernel":"k2","sm":[0,4]})", ".sm[1]: 4 is too large; at most 3"},
        FaultyFact{R"({"step":0,"kernel":"k2","sm":[0,1,2,3,0]})",
                   ".sm: has 5 entries for a kernel of 4 blocks"},
        FaultyFact{R"({"step":0,"kernel":"k2","sm_set":[0,1,0]})",
                   ".sm_set: SM 0 stands twice; a set takes one block on each"},
        FaultyFact{R"({"step":0,"kernel":"k2","warp_slot":[[0]]})",
                   ".warp_slot[0]: has 1 entries for a block of 2 warps"},
        FaultyFact{R"({"step":0,"kernel":"k2","warp_slot":[0]})",
                   ".warp_slot[0]: must be an array, not 0"},
        FaultyFact{
            R"({"step":0,"kernel":"k2","shared_config":8192})",
            ".step: is no field here; there are kernel, sm, sm_set, started, starts, complete, "
            "warp_slot, shared_config"},
        FaultyFact{
            R"({"step":0,"kernel":"k2","started":4,"note":"x"})",
            ".note: is no field here; there are kernel, sm, sm_set, started, starts, complete, "
            "warp_slot, shared_config, step"}));

}  // namespace
}  // namespace cuvier
