#include "solver/infer/coverage.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "solver/infer/unseen_probes.h"

namespace cuvier {
namespace {

using ::testing::Contains;
using ::testing::Pair;

class CoverageTest : public ::testing::Test {
 protected:
  Coverage::Answer answer(const Probe& probe) {
    seen_.push_back(predict(device_, {}, probe));
    return {probe, seen_.back(), 0};
  }

  std::vector<std::pair<std::string_view, int>> classes(std::string_view name) const {
    for (const CoveredFeature& feature : coverage_.features()) {
      if (feature.name == name) return feature.classes;
    }
    return {};
  }

  int not_seen(const Coverage::Answer& answer) const {
    return static_cast<int>(std::ranges::count_if(
        coverage_.pairs_of(answer), [&](auto pair) { return !coverage_.was_seen(pair); }));
  }

  Device device_ = find_device("rtx3090");
  std::deque<Observation> seen_;
  Coverage coverage_{device_};
  Probe full_{"", {{"k", 83, 1024, 64}, {"l", 1, 33, 17}}, {{0, {}}, {1, {}}}};
};

TEST_F(CoverageTest, PutsEachLaunchIntoOneClassOfEachFeature) {
  coverage_.add(answer(full_));
  EXPECT_THAT(classes("warps per block"), Contains(Pair("32 or more", 1)));
  EXPECT_THAT(classes("warps per block"), Contains(Pair("2", 1)));
  EXPECT_THAT(classes("threads per block"), Contains(Pair("part of a warp", 1)));
  EXPECT_THAT(classes("registers, by eights"), Contains(Pair("one more", 1)));
  EXPECT_THAT(classes("it meets"), Contains(Pair("an idle device", 1)));
  EXPECT_THAT(classes("it meets"), Contains(Pair("kernels that wait", 1)));
  EXPECT_THAT(classes("it starts"), Contains(Pair("later, or in part", 2)));
  for (const CoveredFeature& feature : coverage_.features()) {
    int launches = 0;
    for (const auto& [name, count] : feature.classes) launches += count;
    EXPECT_EQ(launches, 2) << feature.name;
  }
}

/// Each two kinds of different features are a pair: seen together, or not.
TEST_F(CoverageTest, ListsWhatWasNeverSeenTogether) {
  std::size_t all = 0;
  std::size_t before = 0;
  for (const CoveredFeature& feature : coverage_.features()) {
    all += before * feature.classes.size();
    before += feature.classes.size();
  }
  coverage_.add(answer(full_));
  const auto apart = coverage_.pairs(/*seen=*/false);
  EXPECT_EQ(apart.size() + coverage_.pairs(/*seen=*/true).size(), all);
  EXPECT_TRUE(std::ranges::any_of(apart, [](const auto& pair) {
    return pair.first.name == "an idle device" && pair.second.name == "more";
  }));
}

TEST_F(CoverageTest, CountsEachPairOnce) {
  const int pairs = not_seen(answer(full_));
  EXPECT_EQ(not_seen(answer(full_)), pairs);
  coverage_.add(answer(full_));
  EXPECT_EQ(coverage_.pairs(/*seen=*/true).size(), pairs);
  EXPECT_EQ(not_seen(answer(full_)), 0);
}

/// What shows most is asked first, and nothing of which all was seen.
TEST_F(CoverageTest, GrowsSoonerByUnseenProbesThanByOthers) {
  Rng rng(1);
  UnseenProbes unseen(device_, {}, rng);
  std::vector<Recording> asked;
  for (int i = 0; i < 10; ++i) {
    const std::size_t before = unseen.coverage().pairs(/*seen=*/true).size();
    const auto probe = unseen.next(asked, {});
    ASSERT_TRUE(probe);
    asked.push_back({*probe, {}, true, ""});
    unseen.observe(asked);
    EXPECT_GT(unseen.coverage().pairs(/*seen=*/true).size(), before);
    coverage_.add(answer(pick_from(rng, probe_families(device_)).draw(device_, rng)));
  }
  EXPECT_GT(unseen.coverage().pairs(/*seen=*/true).size(), coverage_.pairs(/*seen=*/true).size());
}

}  // namespace
}  // namespace cuvier
