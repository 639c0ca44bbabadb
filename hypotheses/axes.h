#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "hypotheses/axes/batch_lag.h"
#include "hypotheses/axes/batch_margin.h"
#include "hypotheses/axes/cluster_cursor.h"
#include "hypotheses/axes/cluster_gpc.h"
#include "hypotheses/axes/cluster_gpc_order.h"
#include "hypotheses/axes/cluster_sharing.h"
#include "hypotheses/axes/cluster_sms.h"
#include "hypotheses/axes/cluster_wait.h"
#include "hypotheses/axes/config_gate.h"
#include "hypotheses/axes/config_occupancy.h"
#include "hypotheses/axes/config_rounding.h"
#include "hypotheses/axes/config_scope.h"
#include "hypotheses/axes/cursor_reset.h"
#include "hypotheses/axes/dispatch_batch.h"
#include "hypotheses/axes/group_selection.h"
#include "hypotheses/axes/group_turn.h"
#include "hypotheses/axes/hierarchy.h"
#include "hypotheses/axes/local_memory.h"
#include "hypotheses/axes/pairs_in_flight.h"
#include "hypotheses/axes/pointer_reset.h"
#include "hypotheses/axes/pointer_skip.h"
#include "hypotheses/axes/priority.h"
#include "hypotheses/axes/queue.h"
#include "hypotheses/axes/register_granularity.h"
#include "hypotheses/axes/register_layout.h"
#include "hypotheses/axes/register_pool.h"
#include "hypotheses/axes/room_warps.h"
#include "hypotheses/axes/runtime_shared.h"
#include "hypotheses/axes/selection.h"
#include "hypotheses/axes/shared_granularity.h"
#include "hypotheses/axes/shared_placement.h"
#include "hypotheses/axes/shared_room.h"
#include "hypotheses/axes/tie_break.h"
#include "hypotheses/axes/warp_placement.h"

namespace cuvier {

template <class... Axes>
struct AxisList {
  static constexpr int size = sizeof...(Axes);
  static constexpr std::array<const AxisInfo*, sizeof...(Axes)> info{&Axes::info...};
};

/// The table of axes. Everything follows from it: hypotheses, command line,
/// solver, tests, docs. The order is that of diagrams (solver/space/diagram.h): what
/// decides among SMs first, then what one SM can take.
using AllAxes =
    AxisList<Queue, Priority, LocalMemory,                                       // the queue
             Hierarchy, Selection, GroupSelection, GroupTurn, TieBreak,          // the choice
             DispatchBatch, BatchMargin, BatchLag, PairsInFlight, CursorReset,   //
             ClusterGpc, ClusterGpcOrder, ClusterSms, ClusterSharing,            // clusters
             ClusterCursor, ClusterWait,                                         //
             RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout,   // warps, registers
             PointerSkip, PointerReset, RoomWarps,                               //
             ConfigOccupancy, ConfigRounding, SharedGranularity, RuntimeShared,  // shared memory
             ConfigScope, ConfigGate, SharedPlacement, SharedRoom>;

inline constexpr int kAxes = AllAxes::size;

namespace detail {
template <class A, class... Axes>
constexpr int position(AxisList<Axes...>) {
  int index = 0;
  const bool found = ((std::is_same_v<A, Axes> || (++index, false)) || ...);
  return found ? index : -1;
}
}  // namespace detail

/// Position of the axis in the table.
template <class A>
constexpr int index_of() {
  constexpr int index = detail::position<A>(AllAxes{});
  static_assert(index >= 0, "the axis has no row in AllAxes");
  return index;
}

/// For each axis whether the list has it.
template <class... Axes>
constexpr std::array<bool, kAxes> members(AxisList<Axes...>) {
  std::array<bool, kAxes> is_member{};
  ((is_member[index_of<Axes>()] = true), ...);
  return is_member;
}

constexpr const AxisInfo& axis_info(int axis) { return *AllAxes::info[axis]; }
constexpr int axis_size(int axis) { return static_cast<int>(axis_info(axis).values.size()); }

/// The axis's values that are last resorts, a bit each.
constexpr std::uint32_t last_resorts(int axis) {
  std::uint32_t bits = 0;
  for (int v = 0; v < axis_size(axis); ++v) {
    if (axis_info(axis).values[v].last_resort) bits |= 1u << v;
  }
  return bits;
}

/// Position of the axis of that name, if there is one.
std::optional<int> find_axis(std::string_view name);

/// Index of the axis's value of that name, if there is one.
std::optional<int> find_value(int axis, std::string_view name);

}  // namespace cuvier
