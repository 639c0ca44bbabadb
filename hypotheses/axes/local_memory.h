#pragma once

#include <algorithm>

#include "hypotheses/axis.h"

namespace cuvier {

/// How a kernel that needs more local memory than the device is set up for is treated.
struct LocalMemory {
  enum Value : int { grow_when_idle, set_when_idle, ignored };
  static constexpr AxisValue values[] = {
      {"grow_when_idle", "waits for an idle device, whose setting then grows to what it needs"},
      {"set_when_idle", "waits for an idle device, whose setting then becomes what it needs"},
      {"ignored", "never waits"},
  };
  static constexpr AxisInfo info{Part::queue, "local_memory",
                                 "when a kernel waits for local memory", values};

  /// What the device is set up for, bytes a thread, whichever value holds.
  struct Setting {
    int grown = 0;   ///< under grow_when_idle
    int latest = 0;  ///< under set_when_idle; never more

    /// A block that needs so much found the device idle.
    void found_idle(int local) {
      grown = std::max(grown, local);
      latest = local;
    }
    /// What it is under that value.
    int in_force(Value value) const { return value == set_when_idle ? latest : grown; }

    bool operator==(const Setting&) const = default;
  };
};

}  // namespace cuvier
