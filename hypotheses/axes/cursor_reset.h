#pragma once

#include "hypotheses/axes/group_selection.h"
#include "hypotheses/axes/selection.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// When the cursors of the selection return to the start.
struct CursorReset {
  enum Value : int { device_idle, kernel, never };
  static constexpr AxisValue values[] = {
      {"device_idle", "when the device is idle", "device_blocks == 0"},
      {"kernel", "at each kernel's first block", "placed == 0 and cluster == 0"},
      {"never", "in no case: they survive from probe to probe within a session", "0 == 1"},
  };
  /// What is so before a block or a cluster of a kernel is tried.
  struct Before {
    int placed, left, w, priority, cluster, joined, device_blocks, sms;
  };
  static constexpr FormulaName names[] = {
      {"placed", "blocks of the kernel that have a place", 0, kMostBlocks},
      {"left", "blocks of the kernel without a place", 1, kMostBlocks},
      asked::warps,
      asked::priority,
      asked::cluster,
      asked::joined,
      {"device_blocks", "resident on the device", 0, kMostBlocks},
      nearby::sms,
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::condition,
                                       "whether the cursors return to the start, asked each time "
                                       "before a block or a cluster is tried"};
  static constexpr AxisLiteral sm_cursor[] = {
      {"selection",
       one_of(Selection::round_robin, Selection::sticky_round_robin, Selection::next_fit)}};
  static constexpr AxisLiteral group_cursor[] = {
      {"hierarchy", one_of(Hierarchy::tpc, Hierarchy::gpc)},
      {"group_selection", one_of(GroupSelection::round_robin)}};
  static constexpr std::span<const AxisLiteral> matters[] = {sm_cursor, group_cursor};
  static constexpr AxisTitle title{Part::choice, "cursor_reset",
                                   "when the cursors return to the start",
                                   "the cursors return to the start"};

  /// Whether the cursors return to the start before it.
  static bool returns(Value value, const Before& b) {
    switch (value) {
      case kernel:
        return b.placed == 0 && b.cluster == 0;
      case device_idle:
        return b.device_blocks == 0;
      case never:
        return false;
    }
    return condition_by_formula<CursorReset, PlainIntegers>(
        value, {b.placed, b.left, b.w, b.priority, b.cluster, b.joined, b.device_blocks, b.sms});
  }
  /// Whether cursors may survive from probe to probe.
  static constexpr bool may_survive(Value value) { return value != device_idle && value != kernel; }
};

}  // namespace cuvier
