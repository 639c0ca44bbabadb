// Which block is where on an H100 and an H200: docs/results/hopper.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/fact_format.h"
#include "solver/constraints/refutations.h"
#include "solver/finding/mismatches.h"
#include "solver/space/version_space.h"
#include "tests/law/admits.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Hypothesis hopper() {
  Hypothesis hypothesis;
  hypothesis.set<TieBreak>(TieBreak::lone_tpcs_first);
  hypothesis.set<PointerReset>(PointerReset::never);
  hypothesis.set<ConfigScope>(ConfigScope::sm);
  hypothesis.set<Numbering>(Numbering::by_gpc);
  return hypothesis;
}

RecordingSet recorded(const char* name) {
  return read_recordings(fmt::format("{}/tests/law/recordings/{}", CUVIER_SOURCE_DIR, name));
}

/// As "L8 0x4 1x8": so many blocks go to lone TPCs, then so many to a GPC, and so on.
std::string shares_of(const Device& device, const Observation& seen, int step) {
  const Grouping gpcs = grouping_of(device, Hierarchy::gpc);
  std::vector<std::pair<std::string, int>> shares;
  for (const int sm : seen.steps[step].started.at(0).sm) {
    const int gpc = gpcs.of_sm[sm];
    const std::string name = gpcs.members[gpc].size() == 2 ? "L" : fmt::format("{}x", gpc);
    if (shares.empty() || shares.back().first != name) shares.emplace_back(name, 0);
    ++shares.back().second;
  }
  std::string text;
  for (const auto& [name, count] : shares) text += fmt::format(" {}{}", name, count);
  return text.substr(1);
}

class BlockNumbers : public ::testing::TestWithParam<const char*> {};

TEST_P(BlockNumbers, OfARealGpuAreExplained) {
  const RecordingSet set = recorded(GetParam());
  ASSERT_FALSE(set.recordings.empty());
  EXPECT_THAT(mismatches(set, hopper()), IsEmpty());
  Hypothesis another = hopper();
  another.set<Numbering>(Numbering::as_chosen);
  EXPECT_FALSE(mismatches(set, another).empty());
  another = hopper();
  another.set<TieBreak>(TieBreak::tpc_interleaved);
  EXPECT_FALSE(mismatches(set, another).empty());
}

/// Nobody has to know which hypothesis it is.
TEST_P(BlockNumbers, OfARealGpuAreFoundAmongAllOrders) {
  const RecordingSet set = recorded(GetParam());
  Assumptions open = between(hopper(), hopper());
  open.allowed[index_of<TieBreak>()] =
      ~(1u << TieBreak::learned) & all_values(index_of<TieBreak>());
  open.allowed[index_of<Numbering>()] = all_values(index_of<Numbering>());
  open.allowed[index_of<PointerReset>()] = all_values(index_of<PointerReset>());
  VersionSpace space(set.device, open);
  for (const Recording& recording : set.recordings) space.observe(recording);
  EXPECT_TRUE(space.contains(hopper()));
  EXPECT_EQ(space.surviving()[index_of<Numbering>()], std::vector<int>{Numbering::by_gpc});
  EXPECT_EQ(space.surviving()[index_of<TieBreak>()], std::vector<int>{TieBreak::lone_tpcs_first});
}

INSTANTIATE_TEST_SUITE_P(Recorded, BlockNumbers,
                         ::testing::Values("h200-grids.jsonl", "h100-table2.jsonl"),
                         [](const auto& info) { return std::string(info.param).substr(0, 4); });

TEST(BlockNumbers, GoGpcByGpcFromWhereTheLastGridLeftOff) {
  const Device device = find_device("h200");
  Simulator gpu(device, hopper());
  const auto shares = [&](const std::vector<int>& blocks) {
    const Observation seen = gpu.run(grids(blocks));
    std::vector<std::string> all;
    for (int k = 0; k < std::ssize(blocks); ++k) all.push_back(shares_of(device, seen, k));
    return all;
  };
  EXPECT_THAT(shares({66}), ElementsAre("L8 0x4 1x8 2x8 3x8 4x8 5x8 6x7 7x7"));
  EXPECT_THAT(shares({66, 66}), ElementsAre("L8 0x4 1x8 2x8 3x8 4x8 5x8 6x7 7x7",
                                            "1x8 2x8 3x8 4x8 5x8 6x11 7x11 0x4"));
  EXPECT_THAT(shares({132}), ElementsAre("L8 1x16 2x16 3x16 4x16 5x16 6x18 7x18 0x8"));
}

TEST(BlockNumbers, OfLoneTpcsOvertake) {
  const Device device = find_device("h200");
  const auto shares = [&](int blocks) {
    return shares_of(device, predict(device, hopper(), grids({blocks})), 0);
  };
  const std::string whole = "0x8 1x16 2x16 3x16 4x16 5x16 6x18 7x18";
  EXPECT_EQ(shares(263), "L8 " + whole + " L8 0x8 1x16 2x16 3x16 4x16 5x16 6x18 7x17");
  EXPECT_EQ(shares(264), "L8 0x8 1x16 2x16 3x16 4x16 L8 5x16 6x18 7x18 " + whole);
  EXPECT_EQ(
      shares(265),
      "L8 0x8 1x16 2x16 3x16 4x16 L8 5x16 6x18 7x18 0x8 1x16 2x16 3x16 4x16 5x16 6x18 L1 7x18");
}

/// What was seen is explained by a hypothesis, among those between it and another, in each reading
/// where its predictions are right. Whether they are.
bool is_explained(const RecordingSet& seen, const Hypothesis& hypothesis, const Hypothesis& other) {
  VersionSpace diagrams(seen.device, between(hypothesis, other));
  Refutations refutations(seen.device, between(hypothesis, other));
  for (const Recording& recording : seen.recordings) {
    diagrams.observe(recording);
    refutations.observe(recording);
  }
  const bool explains = mismatches(seen, hypothesis).empty();
  EXPECT_EQ(diagrams.contains(hypothesis), explains) << describe(hypothesis);
  EXPECT_EQ(admits(refutations, hypothesis), explains) << describe(hypothesis);
  return explains;
}

/// What many hypotheses are read as at once is what each predicts.
TEST(BlockNumbers, AreReadAlike) {
  const Device device = with_lone_tpcs();
  Rng rng(2);
  int told_apart = 0;
  for (int trial = 0; trial < 150; ++trial) {
    Hypothesis planted = random_named(device, rng);
    planted.set<Numbering>(Numbering::by_gpc);
    if (trial % 2 == 1) planted.set<TieBreak>(TieBreak::lone_tpcs_first);
    Simulator truth(device, planted);
    RecordingSet seen{"planted", device, {}};
    for (int i = 0; i < 3; ++i) {
      const Probe probe = random_probe(device, rng);
      seen.recordings.push_back(
          {probe, facts_of(without_channels(truth.run(probe)), probe), i == 0, "planted"});
    }
    Hypothesis chosen = planted;
    chosen.set<Numbering>(Numbering::as_chosen);
    Hypothesis interleaved = planted;
    interleaved.set<TieBreak>(TieBreak::tpc_interleaved);
    EXPECT_THAT(mismatches(seen, planted), IsEmpty());
    for (const Hypothesis& each : {planted, chosen, interleaved}) {
      told_apart += !is_explained(seen, each, each);
    }
  }
  EXPECT_GT(told_apart, 100);
}

/// The same of what these GPUs do with shared memory.
TEST(SharedMemoryOfHopper, IsReadAlike) {
  const Device device = with_lone_tpcs();
  auto families = probe_families(device);
  std::erase_if(families, [](const ProbeFamily& family) {
    return family.name != "fragmentation" && family.name != "carve_out" &&
           family.name != "queueing";
  });
  ASSERT_EQ(families.size(), 3);
  Rng rng(3);
  int told_apart = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const Hypothesis planted = with_hopper_memory(random_named(device, rng), rng);
    const Hypothesis other = with_hopper_memory(planted, rng);
    Hypothesis first_fit = planted;
    first_fit.set<SharedPlacement>(SharedPlacement::first_fit);
    Hypothesis preferred = planted;
    preferred.set<ConfigTarget>(ConfigTarget::preferred);
    Hypothesis when_idle = planted;
    when_idle.set<ConfigChange>(ConfigChange::when_idle);
    Simulator truth(device, planted);
    RecordingSet seen{"planted", device, {}};
    for (int i = 0; i < 9; ++i) {
      const Probe probe = families[i % 3].draw(device, rng);
      seen.recordings.push_back(
          {probe, facts_of(without_channels(truth.run(probe)), probe), i == 0, "planted"});
    }
    EXPECT_THAT(mismatches(seen, planted), IsEmpty());
    const Hypothesis any = random_named(device, rng);
    for (const Hypothesis& each : {planted, other, first_fit, preferred, when_idle}) {
      // Beside others that have the same of these values: alone they would be considered last.
      Hypothesis beside = mix(each, any, 15, rng);
      beside.values[index_of<ConfigChange>()] = each.values[index_of<ConfigChange>()];
      beside.values[index_of<ConfigTarget>()] = each.values[index_of<ConfigTarget>()];
      beside.values[index_of<SharedPlacement>()] = each.values[index_of<SharedPlacement>()];
      told_apart += !is_explained(seen, each, beside);
    }
  }
  EXPECT_GT(told_apart, 8);
}

/// Which block comes to a place is all that it decides.
TEST(BlockNumbers, ChangeNoPlaces) {
  const Device device = with_lone_tpcs();
  Rng rng(1);
  int otherwise = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Hypothesis hypothesis = random_named(device, rng);
    const Probe probe = random_probe(device, rng);
    if (std::ranges::any_of(probe.script, [](const Action& action) {
          return !action.launch && !action.releases[0].blocks.empty();
        })) {
      continue;  // blocks that leave by their number are others
    }
    std::array<Observation, 2> seen;
    for (const auto value : {Numbering::as_chosen, Numbering::by_gpc}) {
      hypothesis.set<Numbering>(value);
      seen[value] = without_channels(predict(device, hypothesis, probe));
    }
    otherwise += seen[0] != seen[1];
    for (Observation& each : seen) {
      for (Step& step : each.steps) {
        for (Started& started : step.started) std::ranges::sort(started.sm);
      }
    }
    EXPECT_EQ(seen[0], seen[1]) << describe(hypothesis) << "\n" << to_json(probe).dump();
  }
  EXPECT_GT(otherwise, 20);
}

/// What is learned of an order are the numbers.
TEST(BlockNumbers, OfALearnedOrderAreAsChosen) {
  const Device device = with_lone_tpcs();
  Rng rng(4);
  for (int trial = 0; trial < 30; ++trial) {
    Hypothesis hypothesis = random_named(device, rng);
    hypothesis.set<TieBreak>(TieBreak::learned);
    learn_any_order(device, hypothesis, rng);
    Hypothesis by_gpc = hypothesis;
    by_gpc.set<Numbering>(Numbering::by_gpc);
    EXPECT_EQ(first_difference(device, hypothesis, by_gpc, 20, rng), -1) << describe(hypothesis);
  }
}

/// All that only GPUs of lone TPCs do, and drift, and orders, come to an end on large grids.
TEST(BlockNumbers, OutsideTheSpaceAreRefuted) {
  const Device device = with_lone_tpcs();
  Probe probe = grids({40, 45});
  probe.script.insert(probe.script.begin() + 1, Action{{}, {{0, {}}}});
  Recording recording{probe, {}, true, "planted"};
  recording.facts = facts_of(without_channels(predict(device, Hypothesis{}, probe)), probe);
  std::swap(recording.facts.back().values[38], recording.facts.back().values[39]);
  VersionSpace space(device, Assumptions::all(device));
  space.observe(recording);
  EXPECT_TRUE(space.empty());
}

}  // namespace
}  // namespace cuvier
