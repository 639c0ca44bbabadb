#pragma once

#include "hypotheses/axes/batch_margin.h"
#include "probes/device.h"

namespace cuvier {

/// How many picks of a large grid give out their blocks in turn. It decides which block has which
/// number, and nothing of where the picks go.
struct PairsInFlight {
  enum Value { one, two, drifting, drifting_from_two };
  static constexpr AxisValue values[] = {
      {"one", "a pick gives out both of its blocks before the next"},
      {"two", "from a kernel's fourth pick on, two give out their blocks in turn"},
      {.name = "drifting",
       .meaning = "one at first, and one more at choices that nobody controls",
       .last_resort = true,
       .several_outcomes = true},
      {.name = "drifting_from_two",
       .meaning = "as with two, and one more at choices that nobody controls",
       .last_resort = true,
       .several_outcomes = true},
  };
  static constexpr AxisInfo info{Part::batches, "pairs_in_flight",
                                 "how many picks of a large grid give out blocks in turn", values,
                                 BatchMargin::matters};

  /// How many there can be once so many picks were made, before any more came.
  static constexpr int at_first(Value value, int picks) {
    const bool from_two = value == two || value == drifting_from_two;
    return from_two && picks >= 4 ? 2 : 1;
  }
  /// A pick joins others only while so many blocks have no place yet.
  static constexpr int fewest(const Device& device) { return 2 * device.sms; }
  static constexpr bool drifts(Value value) {
    return value == drifting || value == drifting_from_two;
  }
};

}  // namespace cuvier
