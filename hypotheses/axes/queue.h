#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Which of the queued kernels may place its next block.
struct Queue {
  enum Value : int { fifo, skip_ahead };
  static constexpr AxisValue values[] = {
      {"fifo", "only the head is tried; when its next block cannot be placed, nothing is"},
      {"skip_ahead", "each queued kernel is tried in order; the first that fits gets its block"},
  };
  static constexpr AxisInfo info{Part::queue, "queue", "which of the queued kernels is tried",
                                 values};
};

}  // namespace cuvier
