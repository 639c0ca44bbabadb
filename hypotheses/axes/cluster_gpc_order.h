#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// The order of the GPCs, for clusters. Those that it leaves equal come by their lowest SM.
struct ClusterGpcOrder {
  enum Value : int { smallest_first, lowest_sm, largest_first };
  static constexpr AxisValue values[] = {
      {"smallest_first", "by ascending number of SMs"},
      {"lowest_sm", "by their lowest SM alone", Needs::clusters},
      {"largest_first", "by descending number of SMs", Needs::clusters},
  };
  static constexpr AxisInfo info{Part::clusters, "cluster_gpc_order",
                                 "the order of the GPCs for clusters",
                                 "for clusters, the GPCs are ordered", values};
};

}  // namespace cuvier
