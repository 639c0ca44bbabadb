#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Whether stream priorities order the queue.
struct Priority {
  enum Value : int { respected, ignored };
  static constexpr AxisValue values[] = {
      {"respected", "the queue is ordered by priority, then by joining"},
      {"ignored", "the queue is ordered by joining"},
  };
  static constexpr AxisInfo info{Part::queue, "priority", "whether priorities order the queue",
                                 values};
};

}  // namespace cuvier
