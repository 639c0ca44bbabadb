#include "hypotheses/first_orders.h"

#include <gtest/gtest.h>

#include "tests/samples.h"

namespace cuvier {
namespace {

/// Four SMs in two TPCs and two GPCs.
Device with_gpcs(std::vector<int> gpc_of_sm) {
  Device device = samples::device();
  device.gpc_of_sm = std::move(gpc_of_sm);
  device.max_cluster = 2;
  return device;
}

template <class Axis>
int first(const Device& device, typename Axis::Value value) {
  return FirstOrders(device).of(index_of<Axis>(), value);
}

TEST(FirstOrders, StandForThoseThatComeOutTheSame) {
  const Device device = with_gpcs({0, 0, 1, 1});
  EXPECT_EQ(first<ClusterGpcOrder>(device, ClusterGpcOrder::largest_first),
            ClusterGpcOrder::smallest_first);
  EXPECT_EQ(first<TieBreak>(device, TieBreak::gpc_major), TieBreak::linear);
  EXPECT_EQ(first<TieBreak>(device, TieBreak::gpc_smallest_first), TieBreak::linear);
  EXPECT_EQ(first<TieBreak>(device, TieBreak::tpc_interleaved), TieBreak::tpc_interleaved);
  Hypothesis hypothesis;
  hypothesis.set<TieBreak>(TieBreak::gpc_major);
  EXPECT_EQ(FirstOrders(device).of(hypothesis).get<TieBreak>(), TieBreak::linear);
}

TEST(FirstOrders, OfGpcsOfDifferentSizeAreTheirOwn) {
  const Device device = with_gpcs({0, 0, 0, 1});
  EXPECT_EQ(first<ClusterGpcOrder>(device, ClusterGpcOrder::lowest_sm), ClusterGpcOrder::lowest_sm);
  EXPECT_EQ(first<ClusterGpcOrder>(device, ClusterGpcOrder::largest_first),
            ClusterGpcOrder::lowest_sm);
  EXPECT_EQ(first<TieBreak>(device, TieBreak::gpc_smallest_first), TieBreak::gpc_smallest_first);
}

TEST(FirstOrders, StandForNothingThatTheDeviceDoesNotHaveOrThatIsNoOrder) {
  Device device = samples::device();
  device.gpc_of_sm.clear();
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int value = 0; value < axis_size(axis); ++value) {
      EXPECT_EQ(FirstOrders(device).of(axis, value), value) << axis_info(axis).name;
    }
  }
  device.gpc_of_sm = {0, 0, 1, 1};
  EXPECT_EQ(first<TieBreak>(device, TieBreak::learned), TieBreak::learned);
  EXPECT_EQ(first<Selection>(device, Selection::first_fit), Selection::first_fit);
}

}  // namespace
}  // namespace cuvier
