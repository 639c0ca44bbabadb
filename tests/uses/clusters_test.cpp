#include "uses/clusters.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <map>

#include "hypotheses/devices.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The fewest and the most, by all ways in which clusters can come one after the other.
std::pair<int, int> by_trying(std::vector<int> places, int blocks,
                              std::map<std::vector<int>, std::pair<int, int>>& known) {
  std::ranges::sort(places);
  if (const auto found = known.find(places); found != known.end()) return found->second;
  int fewest = 1000;
  int most = 0;
  for (unsigned set = 0; set < 1u << places.size(); ++set) {
    if (std::popcount(set) != blocks) continue;
    std::vector<int> left = places;
    for (std::size_t i = 0; i < places.size(); ++i) left[i] -= set >> i & 1;
    if (std::ranges::min(left) < 0) continue;
    const auto [after, at_most] = by_trying(left, blocks, known);
    fewest = std::min(fewest, 1 + after);
    most = std::max(most, 1 + at_most);
  }
  if (most == 0) fewest = 0;
  return known[places] = {fewest, most};
}

TEST(Clusters, AreAsManyAsTryingAllWaysFinds) {
  Rng rng(3);
  for (int point = 0; point < 300; ++point) {
    std::vector<int> places(uniform(rng, 1, 5));
    const bool are_alike = uniform(rng, 0, 1) == 0;
    for (int& place : places) place = are_alike ? 1 + point % 3 : uniform(rng, 1, 3);
    for (int blocks = 1; blocks <= 5; ++blocks) {
      std::map<std::vector<int>, std::pair<int, int>> known;
      const auto [fewest, most] = by_trying(places, blocks, known);
      const std::string what = fmt::format("{} on {}", blocks, fmt::join(places, ","));
      EXPECT_EQ(least_clusters(places, blocks), fewest) << what;
      EXPECT_EQ(most_clusters(places, blocks), most) << what;
    }
  }
}

std::vector<int> under_model(const ClusterFits& fits) {
  std::vector<int> counts;
  for (const ClusterFit& fit : fits.sizes) counts.push_back(fit.under_model());
  return counts;
}

/// The GPCs of this die have 18 and 16 SMs, of which 4 make clusters, and 8 and 2.
TEST(Clusters, OfAnH100AreFewerThanItsSmsAreEnoughFor) {
  const Device device = find_device("h100");
  const ClusterFits fits = cluster_fits(device, {}, filling_kernel(device));
  EXPECT_EQ(fits.blocks_per_sm, 1);
  EXPECT_THAT(under_model(fits),
              ElementsAre(132, 66, 39, 30, 22, 17, 15, 15, 9, 7, 7, 7, 7, 7, 7, 7));
  for (const ClusterFit& fit : fits.sizes) {
    EXPECT_EQ(fit.least, fit.under_model());
    EXPECT_EQ(fit.most, fit.under_model());
    EXPECT_EQ(std::ssize(fit.idle_sms), device.sms - fit.blocks * fit.under_model());
  }
}

/// 28 clusters of 4 where the SMs would be enough for 33.
TEST(Clusters, AreLostOnGpcsOfAnOddNumberOfTpcs) {
  Device device = find_device("h100");
  device.gpc_of_sm.clear();
  int gpc = 0;
  for (const int sms : {18, 18, 18, 18, 18, 18, 16, 2, 2, 2, 2}) {
    device.gpc_of_sm.insert(device.gpc_of_sm.end(), sms, gpc++);
  }
  const ClusterFits fits = cluster_fits(device, {}, filling_kernel(device));
  EXPECT_EQ(fits.sizes[3].blocks, 4);
  EXPECT_EQ(fits.sizes[3].under_model(), 28);
  EXPECT_EQ(fits.sizes[3].idle_sms.size(), 20u);
}

TEST(Clusters, UnderAnyModelAreBetweenTheLeastAndTheMost) {
  Rng rng(5);
  for (int point = 0; point < 200; ++point) {
    const Device device = clustered_device(uniform(rng, 4, 12));
    Hypothesis hypothesis = random_hypothesis(device, rng);
    Kernel kernel = samples::kernel("k", 1, 32 * uniform(rng, 1, 24));
    for (const ClusterFit& fit : cluster_fits(device, hypothesis, kernel).sizes) {
      EXPECT_LE(fit.under_model(), fit.most) << describe(hypothesis);
      EXPECT_GE(fit.under_model(), fit.least) << describe(hypothesis);
    }
  }
}

/// Where clusters take whole TPCs.
TEST(Clusters, PassByPassAreBetweenTheLeastAndTheMost) {
  Rng rng(6);
  int closer = 0;  // than if any SMs would do
  for (int point = 0; point < 200; ++point) {
    Device device = with_clusters(with_lone_tpcs());
    device.tpc_of_sm = uniform(rng, 0, 2) == 0 ? std::vector{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}
                                               : std::vector<int>();
    if (!device.tpc_of_sm.empty()) device.gpc_of_sm = {0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2};
    Hypothesis hypothesis = with_hopper_values(random_hypothesis(device, rng), rng);
    hypothesis.set<ClusterGpc>(ClusterGpc::pass_by_pass);
    Hypothesis others = hypothesis;
    others.set<ClusterGpc>(ClusterGpc::in_turn);
    others.set<ClusterSharing>(ClusterSharing::apart);
    const Kernel kernel = samples::kernel("k", 1, 32 * uniform(rng, 1, 24));
    const auto sizes = cluster_fits(device, hypothesis, kernel).sizes;
    const auto of_others = cluster_fits(device, others, kernel).sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_LE(sizes[i].under_model(), sizes[i].most) << describe(hypothesis);
      EXPECT_GE(sizes[i].under_model(), sizes[i].least) << describe(hypothesis);
      closer += sizes[i].least != of_others[i].least;
    }
  }
  EXPECT_GT(closer, 0);
}

TEST(Clusters, NeedADeviceThatLaunchesThem) {
  const auto complaint = [](const char* name) {
    const Device device = find_device(name);
    return samples::message_of([&] { cluster_fits(device, {}, filling_kernel(device)); });
  };
  EXPECT_THAT(complaint("a100"), HasSubstr("it launches no clusters"));
}

}  // namespace
}  // namespace cuvier
