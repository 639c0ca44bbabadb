#pragma once

#include <algorithm>

#include "hypotheses/axis.h"

namespace cuvier {

/// How a kernel that needs more local memory than the device is set up for is treated.
struct LocalMemory {
  enum Value { grow_when_idle, set_when_idle, ignored };
  static constexpr AxisValue values[] = {
      {"grow_when_idle", "waits for an idle device, whose setting then grows to what it needs"},
      {"set_when_idle", "waits for an idle device, whose setting then becomes what it needs"},
      {"ignored", "never waits"},
  };
  static constexpr AxisInfo info{"local_memory", "when a kernel waits for local memory", values};

  /// The device's setting when a block that needs `local` bytes finds it idle.
  static constexpr int on_idle(Value value, int current, int local) {
    switch (value) {
      case grow_when_idle: return std::max(current, local);
      case set_when_idle: return local;
      case ignored: return current;
    }
    return current;
  }
};

}  // namespace cuvier
