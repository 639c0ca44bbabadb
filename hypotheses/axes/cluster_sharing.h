#pragma once

#include "hypotheses/axes/cluster_gpc.h"

namespace cuvier {

/// Whether blocks of a cluster may be on one SM. Those of different clusters may.
struct ClusterSharing {
  enum Value : int { apart, tpc_apart, shared };
  static constexpr AxisValue values[] = {
      {"apart", "each gets an SM of its own"},
      {"tpc_apart", "each gets a TPC of its own", "", Needs::clusters},
      {"shared", "an SM gets as many as fit", "", Needs::clusters},
  };
  static constexpr AxisTitle title{Part::clusters, "cluster_sharing",
                                   "whether blocks of a cluster may share an SM",
                                   "of a cluster's blocks,"};
  static constexpr auto& matters = ClusterGpc::chosen;
};

}  // namespace cuvier
