#pragma once

#include "hypotheses/axes/group_selection.h"
#include "hypotheses/axes/selection.h"

namespace cuvier {

/// When the cursors of the selection return to the start.
struct CursorReset {
  enum Value : int { device_idle, kernel, never };
  static constexpr AxisValue values[] = {
      {"device_idle", "when the device is idle"},
      {"kernel", "at each kernel's first block"},
      {"never", "in no case: they survive from probe to probe within a session"},
  };
  static constexpr AxisLiteral sm_cursor[] = {
      {"selection",
       one_of(Selection::round_robin, Selection::sticky_round_robin, Selection::next_fit)}};
  static constexpr AxisLiteral group_cursor[] = {
      {"hierarchy", one_of(Hierarchy::tpc, Hierarchy::gpc)},
      {"group_selection", one_of(GroupSelection::round_robin)}};
  static constexpr std::span<const AxisLiteral> matters[] = {sm_cursor, group_cursor};
  static constexpr AxisInfo info{Part::choice,
                                 "cursor_reset",
                                 "when the cursors return to the start",
                                 "the cursors return to the start",
                                 values,
                                 matters};
};

}  // namespace cuvier
