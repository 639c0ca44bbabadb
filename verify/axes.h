#pragma once

// The axes of docs/reference/scheduler.md and their values, by the page's names.

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace cuvier::verify {

/// What a value asks of a device to be among its hypotheses.
enum class Needs { nothing, gpcs, clusters };

struct AxisRow {
  std::string_view name;
  std::span<const std::string_view> values;  ///< Algorithm 1's first
  std::string_view formula = {};             ///< what its formulas may read; empty: it takes none
};

namespace table {

using Names = const std::string_view[];
inline constexpr Names priority = {"respected", "ignored"};
inline constexpr Names queue = {"fifo", "skip_ahead"};
inline constexpr Names local_memory = {"grow_when_idle", "set_when_idle", "ignored"};
inline constexpr Names admission = {"any"};
inline constexpr Names hierarchy = {"flat", "tpc", "gpc"};
inline constexpr Names selection = {
    "most_room",  "round_robin", "sticky_round_robin", "next_fit",      "first_fit", "fewest_warps",
    "most_warps", "least_used",  "most_used",          "fewest_blocks", "paired"};
inline constexpr Names group_selection = {"most_room", "round_robin", "first_fit", "smallest_first",
                                          "fewest_warps"};
inline constexpr Names group_turn = {"one_block", "each_sm_once"};
inline constexpr Names tie_break = {"tpc_interleaved", "linear",    "tpc_interleaved_odd_first",
                                    "linear_reversed", "gpc_major", "gpc_smallest_first",
                                    "gpc_round_robin", "learned"};
inline constexpr Names dispatch_batch = {"single", "pair"};
inline constexpr Names batch_margin = {"4", "0", "1", "2", "3", "5", "6", "7", "8"};
inline constexpr Names batch_lag = {"1", "0", "2"};
inline constexpr Names pairs_in_flight = {"one", "two", "drifting", "drifting_from_two"};
inline constexpr Names cursor_reset = {"device_idle", "kernel", "never"};
inline constexpr Names cluster_gpc = {"in_turn", "first_fit", "most_room", "fewest_blocks"};
inline constexpr Names cluster_gpc_order = {"smallest_first", "lowest_sm", "largest_first"};
inline constexpr Names cluster_sms = {"ascending", "tpc_interleaved", "fewest_blocks"};
inline constexpr Names cluster_sharing = {"apart", "tpc_apart", "shared"};
inline constexpr Names cluster_cursor = {"device_idle", "kernel", "shared"};
inline constexpr Names cluster_wait = {"holds", "passed"};
inline constexpr Names warp_placement = {"strict_round_robin", "skip_full", "fixed_start",
                                         "least_loaded"};
inline constexpr Names register_pool = {"per_subpartition", "per_sm"};
inline constexpr Names register_layout = {"renamed", "contiguous"};
inline constexpr Names register_granularity = {"256", "512", "1024"};
inline constexpr Names pointer_skip = {"multiple_of_subpartitions", "none", "always", "even",
                                       "restart"};
inline constexpr Names pointer_reset = {"sm_idle", "device_idle", "never"};
inline constexpr Names room_warps = {"strict_blocks", "strict_warps", "pooled_blocks",
                                     "balanced_blocks"};
inline constexpr Names config_occupancy = {"all_limits", "ignore_registers", "single_block",
                                           "quadrupled_registers",
                                           "quadrupled_warps_and_registers"};
inline constexpr Names config_rounding = {"up_to_supported", "exact", "power_of_two", "largest"};
inline constexpr Names config_scope = {"tpc", "sm", "device", "none"};
inline constexpr Names config_gate = {"preferred", "space_only", "preferred_if_dynamic"};
inline constexpr Names shared_placement = {"first_fit", "best_fit", "fragmented"};
inline constexpr Names shared_granularity = {"128", "256", "512", "1024"};
inline constexpr Names runtime_shared = {"1024", "0", "2048"};
inline constexpr Names shared_room = {"largest_interval", "every_interval", "total_free"};

}  // namespace table

inline constexpr AxisRow axes[] = {
    {"priority", table::priority, "priority blocks w registers bytes placed joined"},
    {"queue", table::queue,
     "head_left head_blocks head_warps head_priority left blocks w priority"},
    {"local_memory", table::local_memory, "local grown latest"},
    {"admission", table::admission,
     "blocks warps priority w registers bytes sm own tpc_blocks device_blocks"},
    {"hierarchy", table::hierarchy},
    {"selection", table::selection,
     "room warps blocks sm w registers bytes turn own tpc_blocks placed left sms"},
    {"group_selection", table::group_selection, "room eligible warps blocks sms"},
    {"group_turn", table::group_turn},
    {"tie_break", table::tie_break,
     "sm sms tpc tpcs place_in_tpc gpc gpcs place_in_gpc sms_of_gpc tpc_in_gpc"},
    {"dispatch_batch", table::dispatch_batch, "left blocks sms margin"},
    {"batch_margin", table::batch_margin},
    {"batch_lag", table::batch_lag},
    {"pairs_in_flight", table::pairs_in_flight, "picks"},
    {"cursor_reset", table::cursor_reset},
    {"cluster_gpc", table::cluster_gpc, "turn fitting blocks sms"},
    {"cluster_gpc_order", table::cluster_gpc_order},
    {"cluster_sms", table::cluster_sms, "sm place_in_gpc tpc place_in_tpc blocks"},
    {"cluster_sharing", table::cluster_sharing},
    {"cluster_cursor", table::cluster_cursor},
    {"cluster_wait", table::cluster_wait},
    {"warp_placement", table::warp_placement, "p i w registers bytes"},
    {"register_pool", table::register_pool},
    {"register_layout", table::register_layout},
    {"register_granularity", table::register_granularity, "registers w bytes"},
    {"pointer_skip", table::pointer_skip, "next w registers bytes p"},
    {"pointer_reset", table::pointer_reset},
    {"room_warps", table::room_warps, "w free scarcest strict pool registers bytes"},
    {"config_occupancy", table::config_occupancy,
     "w registers warp_registers slots file blocks in_space bytes"},
    {"config_rounding", table::config_rounding, "wanted up down largest w registers bytes"},
    {"config_scope", table::config_scope},
    {"config_gate", table::config_gate, "preferred current bytes w registers"},
    {"shared_placement", table::shared_placement},
    {"shared_granularity", table::shared_granularity, "bytes w registers"},
    {"runtime_shared", table::runtime_shared, "bytes w registers"},
    {"shared_room", table::shared_room, "bytes free longest whole config"},
};
inline constexpr int axis_count = std::size(axes);

/// -1: there is none of this name.
constexpr int find_axis(std::string_view name) {
  for (int axis = 0; axis < axis_count; ++axis) {
    if (axes[axis].name == name) return axis;
  }
  return -1;
}
constexpr int find_value(int axis, std::string_view name) {
  const auto values = axes[axis].values;
  const auto found = std::find(values.begin(), values.end(), name);
  return found == values.end() ? -1 : static_cast<int>(found - values.begin());
}

/// A text that a template can have as its argument.
template <std::size_t N>
struct Text {
  char text[N];
  constexpr Text(const char (&from)[N]) { std::copy_n(from, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// The axis of a name; a name that there is not does not compile.
template <Text name>
constexpr int axis_of() {
  constexpr int axis = find_axis(name.view());
  static_assert(axis >= 0, "no such axis");
  return axis;
}
/// The place of a value in its axis's row.
template <Text axis, Text value>
constexpr int value_of() {
  constexpr int found = find_value(axis_of<axis>(), value.view());
  static_assert(found >= 0, "no such value");
  return found;
}

}  // namespace cuvier::verify
