#pragma once

#include "hypotheses/axes/group_selection.h"

namespace cuvier {

/// How long a chosen group keeps its turn.
struct GroupTurn {
  enum Value : int { one_block, each_sm_once };
  static constexpr AxisValue values[] = {
      {"one_block", "a group is chosen for each block"},
      {"each_sm_once", "a chosen group gets a block on each of its eligible SMs first"},
  };
  static constexpr AxisTitle title{Part::choice, "group_turn",
                                   "how long a chosen group keeps its turn"};
  static constexpr auto& matters = GroupSelection::matters;
};

}  // namespace cuvier
