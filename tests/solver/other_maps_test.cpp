#include "solver/diagnosis/other_maps.h"

#include <gmock/gmock.h>

#include "hypotheses/simulator.h"
#include "solver/check/check.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::IsEmpty;

std::vector<int> map_of(int sms, auto gpc_of) {
  std::vector<int> map;
  for (int sm = 0; sm < sms; ++sm) map.push_back(gpc_of(sm));
  return map;
}

/// 36 SMs with clusters of up to four.
Device device_with(std::vector<int> gpc_of_sm) {
  Device device = samples::device();
  device.sms = 36;
  device.max_cluster = 4;
  device.gpc_of_sm = std::move(gpc_of_sm);
  return device;
}

/// GPCs in columns, of 8, 8, 10 and 10 SMs, as on a Blackwell desktop part.
std::vector<int> columns() {
  return map_of(36, [](int sm) { return sm < 32 ? sm % 8 / 2 : 2 + (sm - 32) / 2; });
}
/// What somebody might guess.
std::vector<int> rows() {
  return map_of(36, [](int sm) { return sm / 12; });
}

Hypothesis with(TieBreak::Value order) {
  Hypothesis hypothesis;
  hypothesis.set<TieBreak>(order);
  return hypothesis;
}

/// A block on each SM of the device, in clusters or not.
Recording filled(const Device& device, const Hypothesis& hypothesis, int cluster = 1) {
  Kernel kernel = samples::kernel("k", device.sms / cluster * cluster, 32);
  kernel.shared = device.max_shared_per_block;
  if (cluster > 1) kernel.cluster = cluster;
  const Probe probe{"filled", {kernel}, {{0, {}}}};
  return {probe, facts_of(predict(device, hypothesis, probe), probe), true, "mine.jsonl:2"};
}

/// What a check says of these where the device's file has that map.
Finding checked(Device device, std::vector<int> claimed, std::vector<Recording> recordings) {
  device.gpc_of_sm = std::move(claimed);
  const Assumptions all = Assumptions::all(device);
  return check({{"mine", device, std::move(recordings)}}, all, {});
}

TEST(OtherMaps, ExplainAnOrderThatIsLearnedUnderAWrongOne) {
  const Device device = device_with(columns());
  const Recording recording = filled(device, with(TieBreak::gpc_major));
  for (const std::vector<int>& claimed : {rows(), std::vector<int>{}}) {
    const Finding finding = checked(device, claimed, {recording});
    ASSERT_TRUE(finding.mechanism);
    EXPECT_EQ(finding.mechanism->get<TieBreak>(), TieBreak::learned);
    ASSERT_FALSE(finding.maps.empty());
    EXPECT_EQ(finding.maps.front().device.gpc_of_sm, columns());
    EXPECT_EQ(finding.maps.front().mechanism.get<TieBreak>(), TieBreak::gpc_major);
    EXPECT_EQ(finding.maps.front().clusters, 0);
  }
}

TEST(OtherMaps, AreNotLookedForWhereANamedOrderExplains) {
  const Device device = device_with(columns());
  EXPECT_THAT(checked(device, columns(), {filled(device, with(TieBreak::gpc_major))}).maps,
              IsEmpty());
  EXPECT_THAT(checked(device, rows(), {filled(device, with(TieBreak::linear))}).maps, IsEmpty());
}

TEST(OtherMaps, ClustersRefuteAWrongOneAndSpeakForAnother) {
  const Device device = device_with(columns());
  const Hypothesis hypothesis = with(TieBreak::gpc_major);
  const Finding finding =
      checked(device, rows(), {filled(device, hypothesis), filled(device, hypothesis, 4)});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  ASSERT_FALSE(finding.maps.empty());
  EXPECT_EQ(finding.maps.front().device.gpc_of_sm, columns());
  EXPECT_EQ(finding.maps.front().clusters, 8);
}

/// Single TPCs at the end, as on a B200: no descent shows where one ends and the next begins.
TEST(OtherMaps, OfHiddenBoundariesTheFewestComeFirstUnlessClustersSayMore) {
  Device device =
      device_with(map_of(36, [](int sm) { return sm < 32 ? sm % 4 / 2 : 2 + (sm - 32) / 2; }));
  const Hypothesis hypothesis = with(TieBreak::gpc_smallest_first);
  const Recording plain = filled(device, hypothesis);
  const auto of_plain = checked(device, rows(), {plain}).maps;
  ASSERT_FALSE(of_plain.empty());
  EXPECT_EQ(of_plain.front().device.gpc_of_sm,
            map_of(36, [](int sm) { return sm < 32 ? sm % 4 / 2 : 2; }));
  EXPECT_THAT(of_plain, Contains(Field(&OtherMap::device, device)));
  const auto of_clusters = checked(device, rows(), {plain, filled(device, hypothesis, 4)}).maps;
  ASSERT_FALSE(of_clusters.empty());
  EXPECT_EQ(of_clusters.front().device.gpc_of_sm, device.gpc_of_sm);
}

TEST(OtherMaps, OfOrdersThatGoRound) {
  Device device = device_with(map_of(36, [](int sm) { return sm < 8 ? 0 : (sm - 8) / 14 + 1; }));
  const Recording round = filled(device, with(TieBreak::gpc_round_robin));
  const auto gpcs = checked(device, columns(), {round}).maps;
  EXPECT_THAT(gpcs, Contains(Field(&OtherMap::device, device)));
  device.gpc_of_sm.clear();
  device.tpc_of_sm = map_of(36, [](int sm) { return sm / 4 * 2 + sm % 2; });
  const Recording halves = filled(device, {});
  device.tpc_of_sm.clear();
  const auto tpcs = check({{"mine", device, {halves}}}, Assumptions::all(device), {}).maps;
  ASSERT_FALSE(tpcs.empty());
  EXPECT_EQ(tpcs.back().device.tpc_of_sm, map_of(36, [](int sm) { return sm / 4 * 2 + sm % 2; }));
}

TEST(OtherMaps, OfNothingWithoutStructureOrForbiddenOrders) {
  const Device device = device_with({});
  Hypothesis learned = with(TieBreak::learned);
  for (int i = 0; i < device.sms; ++i) learned.order.push_back(i * 25 % device.sms);
  EXPECT_THAT(checked(device, {}, {filled(device, learned)}).maps, IsEmpty());

  Device mapped = device_with(columns());
  const Recording recording = filled(mapped, with(TieBreak::gpc_major));
  mapped.gpc_of_sm = rows();
  Assumptions assumed = Assumptions::all(mapped);
  assumed.restrict_by("tie_break=linear,tpc_interleaved,learned");
  EXPECT_THAT(check({{"mine", mapped, {recording}}}, assumed, {}).maps, IsEmpty());
}

/// Clusters that overlap are of one GPC, whichever came first.
TEST(OtherMaps, JoinWhatClustersShare) {
  Device device = samples::device();
  device.sms = 8;
  device.gpc_of_sm.clear();
  const std::vector<std::vector<int>> clusters = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 4, 5}};
  const Device mapped = mapped_by(clusters, device);
  EXPECT_EQ(mapped.gpc_of_sm, std::vector<int>(8, 0));
  EXPECT_TRUE(holds_together(mapped, clusters));
}

}  // namespace
}  // namespace cuvier
