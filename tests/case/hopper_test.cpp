// What an H100 and an H200 did on the days of corpus/: docs/results/hopper.md.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "probes/fact_format.h"
#include "solver/finding/mismatches.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using testing::IsEmpty;

Hypothesis as_recorded() { return hypothesis_from_text("hopper-as-recorded"); }

/// The journals of a day whose names begin with one of these.
std::vector<RecordingSet> journals(const std::string& archive,
                                   const std::vector<std::string>& named) {
  const samples::Folder folder;
  const std::string unpack = fmt::format("tar -C {} -xJf {}/corpus/{}.tar.xz ./recordings",
                                         folder.path("."), CUVIER_SOURCE_DIR, archive);
  if (std::system(unpack.c_str()) != 0) throw std::runtime_error(unpack);
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
  const auto sets =
      journals(GetParam().archive,
               {"after-idle", "carve-out", "fragmentation", "large-grids", "local-memory", "order",
                "queueing", "resident-kernels", "table2", "warp-pointer"});
  EXPECT_EQ(facts_of(sets), GetParam().facts);
  for (const RecordingSet& set : sets) EXPECT_THAT(mismatches(set, as_recorded()), IsEmpty());
}

/// Of these two facts of a thousand are not, or three.
TEST_P(OnHopper, NearlyEveryFactOfLongSequencesIsExplained) {
  const auto sets = journals(GetParam().archive, {"random", "one-at-a-time"});
  EXPECT_LT(mismatches(sets, as_recorded()).size(), 3 * facts_of(sets) / 1000);
}

/// Where they are is not explained; but an SM holds eight blocks of clusters.
TEST_P(OnHopper, ClustersOfOneAndTwoStartAsManyAsPredicted) {
  int full = 0;
  for (const RecordingSet& set : journals(GetParam().archive, {"crowded-clusters"})) {
    for (const Recording& recording : set.recordings) {
      const Observation predicted = predict(set.device, as_recorded(), recording.probe);
      for (const Fact& fact : recording.facts) {
        const Kernel& kernel = recording.probe.kernels[fact.kernel];
        if (fact.kind != Fact::Kind::sm || *kernel.cluster > 2) continue;
        EXPECT_EQ(predicted.steps[fact.step].started.at(fact.kernel).sm.size(), fact.values.size())
            << recording.name();
        full += std::ssize(fact.values) < kernel.blocks;
      }
    }
  }
  EXPECT_EQ(full, 18);
}

INSTANTIATE_TEST_SUITE_P(, OnHopper,
                         ::testing::Values(Day{"h100/2026-11-27", 12052},
                                           Day{"h100/2026-11-27-second", 17500},
                                           Day{"h200/2026-11-27", 12954}),
                         [](const auto& day) {
                           std::string name = day.param.archive;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

/// Where it differs from Algorithm 1.
TEST(Hopper, ContradictsAlgorithm1InEachOfItsDifferences) {
  auto sets = journals("h100/2026-11-27", {"order", "queueing", "warp-pointer"});
  const auto second = journals("h100/2026-11-27-second", {"fragmentation"});
  sets.insert(sets.end(), second.begin(), second.end());
  int differences = 0;
  for (int axis = 0; axis < kAxes; ++axis) {
    Hypothesis otherwise = as_recorded();
    if (otherwise.values[axis] == 0 || axis == index_of<ClusterLimit>()) continue;
    ++differences;
    otherwise.values[axis] = 0;
    EXPECT_FALSE(mismatches(sets, otherwise).empty()) << axis_info(axis).name;
  }
  EXPECT_EQ(differences, 8);
}

}  // namespace
}  // namespace cuvier
