#pragma once

#include "hypotheses/axes/cluster_gpc.h"

namespace cuvier {

/// Where clusters that take the GPCs in turn begin, and behind what they go on.
struct ClusterCursor {
  enum Value : int { device_idle, kernel, shared };
  static constexpr AxisValue values[] = {
      {"device_idle", "behind the latest cluster; from the start when the device was idle"},
      {"kernel", "behind the latest cluster; from the start at a kernel's first cluster", "",
       Needs::clusters},
      {"shared",
       "behind the latest block, in a cluster or not; from the start when the device was idle", "",
       Needs::clusters},
  };
  static constexpr AxisLiteral turns[] = {{"cluster_gpc", one_of(ClusterGpc::in_turn)}};
  static constexpr std::span<const AxisLiteral> matters[] = {turns};
  static constexpr AxisTitle title{Part::clusters, "cluster_cursor",
                                   "where clusters in turn begin and go on",
                                   "clusters in turn go on"};
};

}  // namespace cuvier
