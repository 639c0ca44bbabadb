// What an H100 and an H200 did on the days of corpus/: docs/results/hopper.md.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "hypotheses/assumptions.h"
#include "probes/fact_format.h"
#include "solver/finding/mismatches.h"
#include "solver/space/version_space.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using testing::IsEmpty;

Hypothesis as_recorded() { return hypothesis_from_text("hopper-as-recorded"); }

/// What the archive has below `part`.
void unpack(const std::string& archive, const std::string& part, const samples::Folder& to) {
  const std::string command = fmt::format("tar -C {} -xJf {}/corpus/{}.tar.xz ./{}", to.path("."),
                                          CUVIER_SOURCE_DIR, archive, part);
  if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
}

/// The journals of a day whose names begin with one of these.
std::vector<RecordingSet> journals(const std::string& archive,
                                   const std::vector<std::string>& named) {
  const samples::Folder folder;
  unpack(archive, "recordings", folder);
  std::vector<RecordingSet> sets;
  for (const auto& each : std::filesystem::directory_iterator(folder.path("recordings"))) {
    const std::string name = each.path().filename();
    const auto begins = [&](const std::string& beginning) { return name.starts_with(beginning); };
    if (std::ranges::any_of(named, begins)) {
      sets.push_back(read_recordings(each.path() / "journal.jsonl"));
    }
  }
  return sets;
}

std::size_t facts_of(const std::vector<RecordingSet>& sets) {
  std::size_t facts = 0;
  for (const RecordingSet& set : sets) {
    for (const Recording& recording : set.recordings) facts += recording.facts.size();
  }
  return facts;
}

struct Day {
  const char* archive;
  std::size_t facts;  ///< all explained
};

class OnHopper : public ::testing::TestWithParam<Day> {};

TEST_P(OnHopper, EveryFactIsExplainedThatIsSaidToBe) {
  const auto sets = journals(
      GetParam().archive, {"after-idle", "carve-out", "clusters", "crowded-clusters",
                           "fragmentation", "large-grids", "local-memory", "one-at-a-time", "order",
                           "queueing", "resident-kernels", "table2", "warp-pointer"});
  EXPECT_EQ(facts_of(sets), GetParam().facts);
  for (const RecordingSet& set : sets) EXPECT_THAT(mismatches(set, as_recorded()), IsEmpty());
}

/// Of these one fact of a thousand is not.
TEST(Hopper, NearlyEveryFactOfRandomSequencesIsExplained) {
  const auto sets = journals("h100/2026-11-27-second", {"random"});
  EXPECT_EQ(facts_of(sets), 19867u);
  EXPECT_LE(mismatches(sets, as_recorded()).size(), 22u);
}

INSTANTIATE_TEST_SUITE_P(, OnHopper,
                         ::testing::Values(Day{"h100/2026-11-27", 20571},
                                           Day{"h100/2026-11-27-second", 45732},
                                           Day{"h200/2026-11-27", 23257}),
                         [](const auto& day) {
                           std::string name = day.param.archive;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

/// Where it differs from Algorithm 1.
TEST(Hopper, ContradictsAlgorithm1InEachOfItsDifferences) {
  auto sets =
      journals("h100/2026-11-27", {"crowded-clusters", "order", "queueing", "warp-pointer"});
  const auto second = journals("h100/2026-11-27-second", {"clusters", "fragmentation"});
  sets.insert(sets.end(), second.begin(), second.end());
  int differences = 0;
  for (int axis = 0; axis < kAxes; ++axis) {
    Hypothesis otherwise = as_recorded();
    if (otherwise.values[axis] == 0) continue;
    ++differences;
    otherwise.values[axis] = 0;
    EXPECT_FALSE(mismatches(sets, otherwise).empty()) << axis_info(axis).name;
  }
  EXPECT_EQ(differences, 11);
}

/// What inferences asked an H200 itself.
RecordingSet live(const std::string& name) {
  const samples::Folder folder;
  unpack("h200/2026-11-28", name, folder);
  return read_recordings(folder.path(name + "/journal.jsonl"));
}

TEST(Hopper, EveryFactOfTheLiveInferencesIsExplained) {
  std::vector<RecordingSet> sets{live("first/infer-without-clusters")};
  for (int seed = 3; seed <= 8; ++seed) sets.push_back(live(fmt::format("second/infer-{}", seed)));
  EXPECT_EQ(facts_of(sets), 6817u);
  EXPECT_THAT(mismatches(sets, as_recorded()), IsEmpty());
}

/// The sessions begin with the most local memory that a kernel asks for: nothing waits for more.
TEST(Hopper, ALiveInferenceLeavesWhatNoKernelOfItsSessionsShows) {
  const RecordingSet set = live("first/infer-without-clusters");
  VersionSpace space(set.device, Assumptions::all(set.device));
  for (const Recording& recording : set.recordings) space.observe(recording);
  std::array<bool, kAxes> unseen{};
  unseen[index_of<LocalMemory>()] = true;
  EXPECT_EQ(space.open(), unseen);
}

/// An order of the SMs that nobody knows is looked for then, which once took forever.
TEST(Hopper, OneThatDoesOtherwiseInOneFactIsSoonRefuted) {
  RecordingSet set = live("second/infer-5");
  Recording& only = set.recordings.front();
  Fact& turned = *std::ranges::find_if(
      only.facts, [](const Fact& fact) { return fact.kind == Fact::Kind::sm && fact.step == 13; });
  std::swap(turned.values[20], turned.values[30]);
  VersionSpace space(set.device, Assumptions::all(set.device));
  space.observe(only);
  EXPECT_TRUE(space.empty());
}

}  // namespace
}  // namespace cuvier
