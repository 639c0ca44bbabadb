#pragma once

#include <array>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// Orders of SMs or GPCs (tie_break, cluster_gpc_order) that come out as one order on a device are
/// one value there: the first of them stands for all. Nothing reads these axes but for the order.
class FirstOrders {
 public:
  explicit FirstOrders(const Device& device);

  /// The value that stands for this one.
  int of(int axis, int value) const { return first_[axis][value]; }
  /// The hypothesis with values that stand for themselves.
  Hypothesis of(Hypothesis hypothesis) const;

 private:
  std::array<std::vector<int>, kAxes> first_;
};

}  // namespace cuvier
