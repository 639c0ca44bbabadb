#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Which of the GPCs that can take a whole cluster gets it.
struct ClusterGpc {
  enum Value : int { in_turn, first_fit, most_room, fewest_blocks };
  static constexpr AxisValue values[] = {
      {"in_turn", "the first behind the one that got the last cluster (cluster_cursor)"},
      {"first_fit", "the first", Needs::clusters},
      {"most_room", "the one with the most SMs on which a block fits", Needs::clusters},
      {"fewest_blocks", "the one with the fewest resident blocks", Needs::clusters},
  };
  static constexpr AxisInfo info{Part::clusters, "cluster_gpc", "which GPC gets a cluster", values};
};

}  // namespace cuvier
