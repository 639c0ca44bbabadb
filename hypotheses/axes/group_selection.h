#pragma once

#include "hypotheses/axes/hierarchy.h"

namespace cuvier {

/// Which group of SMs gets the block, under a hierarchy.
struct GroupSelection {
  enum Value : int { most_room, round_robin, first_fit, smallest_first, fewest_warps };
  static constexpr AxisValue values[] = {
      {"most_room", "the largest sum of room over its eligible SMs"},
      {"round_robin", "the first group with an eligible SM from the group cursor on"},
      {"first_fit", "the first group with an eligible SM"},
      {"smallest_first", "the group with the fewest SMs"},
      {"fewest_warps", "the group with the fewest resident warps"},
  };
  static constexpr AxisLiteral grouped[] = {{"hierarchy", one_of(Hierarchy::tpc, Hierarchy::gpc)}};
  static constexpr std::span<const AxisLiteral> matters[] = {grouped};
  static constexpr AxisInfo info{Part::choice, "group_selection", "which group gets the block",
                                 values, matters};
};

}  // namespace cuvier
