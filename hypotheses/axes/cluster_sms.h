#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Which SMs of its GPC a cluster gets, of those on which its blocks fit.
struct ClusterSms {
  enum Value : int { ascending, tpc_interleaved, fewest_blocks };
  static constexpr AxisValue values[] = {
      {"ascending", "the first in ascending order"},
      {"tpc_interleaved", "the first SM of every TPC, then the second", Needs::clusters},
      {"fewest_blocks", "those with the fewest resident blocks, ties in ascending order",
       Needs::clusters},
  };
  static constexpr AxisInfo info{Part::clusters, "cluster_sms",
                                 "which SMs of its GPC a cluster gets", values};
};

}  // namespace cuvier
