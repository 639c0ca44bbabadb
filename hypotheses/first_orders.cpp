#include "hypotheses/first_orders.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "hypotheses/scheduler/topology.h"
#include "hypotheses/values_of_proofs.h"

namespace cuvier {
namespace {

/// The order, or orders, that a value is on the device; none where it is no order, or not one that
/// was thought of (values_of_proofs.h).
std::vector<int> order_of(const Device& device, int axis, int value) {
  const bool known = values_of_proofs()[axis] >> value & 1;
  if (!known || !available(device, axis, value)) return {};
  if (axis == index_of<TieBreak>() && value != TieBreak::learned) {
    return named_order(device, static_cast<TieBreak::Value>(value));
  }
  if (axis == index_of<ClusterGpcOrder>() && device.largest_cluster() > 0) {
    // One after the other, for clusters of each size.
    std::vector<int> orders;
    for (int cluster = 1; cluster <= device.largest_cluster(); ++cluster) {
      const auto by = static_cast<ClusterGpcOrder::Value>(value);
      std::ranges::copy(order_of_gpcs(gpcs_of(device), by, cluster), std::back_inserter(orders));
    }
    return orders;
  }
  return {};
}

}  // namespace

FirstOrders::FirstOrders(const Device& device) {
  for (int axis = 0; axis < kAxes; ++axis) {
    std::vector<std::vector<int>> orders;
    for (int value = 0; value < axis_size(axis); ++value) {
      orders.push_back(order_of(device, axis, value));
      const auto first = orders.back().empty() ? std::prev(orders.end())
                                               : std::ranges::find(orders, orders.back());
      first_[axis].push_back(static_cast<int>(first - orders.begin()));
    }
  }
}

Hypothesis FirstOrders::of(Hypothesis hypothesis) const {
  for (int axis = 0; axis < kAxes; ++axis) {
    hypothesis.values[axis] = static_cast<std::uint8_t>(of(axis, hypothesis.values[axis]));
  }
  return hypothesis;
}

}  // namespace cuvier
