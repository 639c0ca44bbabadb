#pragma once

// The axes of docs/reference/scheduler.md and their values, by the page's names.

#include <iterator>
#include <span>
#include <string_view>

namespace cuvier::verify {

/// A value that has a name. Most are formulas that have one: `rule` is what such a value says,
/// over what the axis's formulas may read.
struct NamedValue {
  std::string_view name;
  std::string_view rule = {};  ///< empty: it is a way of working
};

struct AxisRow {
  std::string_view name;
  std::span<const NamedValue> values;  ///< Algorithm 1's first
  std::string_view formula = {};       ///< what its formulas may read; empty: it takes none
  std::string_view more = {};          ///< what else its named values read
};

namespace table {

using Values = const NamedValue[];
inline constexpr Values priority = {{"respected", "priority"}, {"ignored", "0"}};
inline constexpr Values queue = {{"fifo", "0"}, {"skip_ahead", "1"}};
inline constexpr Values local_memory = {
    {"grow_when_idle", "local > grown"}, {"set_when_idle", "local > latest"}, {"ignored", "0"}};
inline constexpr Values admission = {{"any", "1"}};
inline constexpr Values hierarchy = {{"flat"}, {"tpc"}, {"gpc"}};
inline constexpr Values selection = {
    {"most_room", "-room"},      {"round_robin", "turn"}, {"sticky_round_robin", "turn"},
    {"next_fit", "turn"},        {"first_fit", "0"},      {"fewest_warps", "warps"},
    {"most_warps", "-warps"},    {"least_used"},          {"most_used"},
    {"fewest_blocks", "blocks"}, {"paired", "-room"}};
inline constexpr Values group_selection = {{"most_room", "-room"},
                                           {"round_robin", "turn"},
                                           {"first_fit", "0"},
                                           {"smallest_first", "sms"},
                                           {"fewest_warps", "warps"}};
inline constexpr Values group_turn = {{"one_block"}, {"each_sm_once"}};
inline constexpr Values tie_break = {
    {"tpc_interleaved", "(place_in_tpc, tpc)"},
    {"linear", "sm"},
    {"tpc_interleaved_odd_first", "(place_in_tpc == 0, place_in_tpc, tpc)"},
    {"linear_reversed", "-sm"},
    {"gpc_major", "(gpc, sm)"},
    {"gpc_smallest_first", "(sms_of_gpc, gpc, sm)"},
    {"gpc_round_robin", "(tpc_in_gpc, gpc, sm)"},
    {"learned"}};
inline constexpr Values dispatch_batch = {{"single", "0"}, {"pair", "left > 2 * sms + margin"}};
inline constexpr Values batch_margin = {{"4", "4"}, {"0", "0"}, {"1", "1"}, {"2", "2"}, {"3", "3"},
                                        {"5", "5"}, {"6", "6"}, {"7", "7"}, {"8", "8"}};
inline constexpr Values batch_lag = {{"1", "1"}, {"0", "0"}, {"2", "2"}};
inline constexpr Values pairs_in_flight = {{"one", "1"},
                                           {"two", "picks >= 4 ? 2 : 1"},
                                           {"drifting", "1"},
                                           {"drifting_from_two", "picks >= 4 ? 2 : 1"}};
inline constexpr Values cursor_reset = {{"device_idle"}, {"kernel"}, {"never"}};
inline constexpr Values cluster_gpc = {{"in_turn", "turn"},
                                       {"first_fit", "0"},
                                       {"most_room", "-fitting"},
                                       {"fewest_blocks", "blocks"}};
inline constexpr Values cluster_gpc_order = {
    {"smallest_first", "sms"}, {"lowest_sm", "0"}, {"largest_first", "-sms"}};
inline constexpr Values cluster_sms = {{"ascending", "place_in_gpc"},
                                       {"tpc_interleaved", "(place_in_tpc, tpc)"},
                                       {"fewest_blocks", "blocks"}};
inline constexpr Values cluster_sharing = {{"apart"}, {"tpc_apart"}, {"shared"}};
inline constexpr Values cluster_cursor = {{"device_idle"}, {"kernel"}, {"shared"}};
inline constexpr Values cluster_wait = {{"holds"}, {"passed"}};
inline constexpr Values warp_placement = {
    {"strict_round_robin", "p + i"}, {"skip_full"}, {"fixed_start", "i"}, {"least_loaded"}};
inline constexpr Values register_pool = {{"per_subpartition"}, {"per_sm"}};
inline constexpr Values register_layout = {{"renamed"}, {"contiguous"}};
inline constexpr Values register_granularity = {{"256", "(registers * 32 + 255) / 256 * 256"},
                                                {"512", "(registers * 32 + 511) / 512 * 512"},
                                                {"1024", "(registers * 32 + 1023) / 1024 * 1024"}};
inline constexpr Values pointer_skip = {{"multiple_of_subpartitions", "next + (w mod 4 == 0)"},
                                        {"none", "next"},
                                        {"always", "next + 1"},
                                        {"even", "next + (w mod 2 == 0)"},
                                        {"restart", "0"}};
inline constexpr Values pointer_reset = {{"sm_idle"}, {"device_idle"}, {"never"}};
inline constexpr Values room_warps = {{"strict_blocks", "min(strict, pool) / w"},
                                      {"strict_warps", "min(strict, pool)"},
                                      {"pooled_blocks", "min(free, pool) / w"},
                                      {"balanced_blocks", "min(4 * scarcest, pool) / w"}};
inline constexpr Values config_occupancy = {
    {"all_limits", "min(blocks, 4 * min(slots, file / warp_registers) / w, in_space)"},
    {"ignore_registers", "min(blocks, 4 * slots / w, in_space)"},
    {"single_block", "1"},
    {"quadrupled_registers",
     "min(blocks, min(4 * slots, 16 * (file / (registers * 32))) / w, in_space)"},
    {"quadrupled_warps_and_registers",
     "min(blocks, min(16 * slots, 16 * (file / (registers * 32))) / w, in_space)"}};
inline constexpr Values config_rounding = {{"up_to_supported", "up"},
                                           {"exact", "min(wanted, largest)"},
                                           {"power_of_two", "min(power, largest)"},
                                           {"largest", "largest"}};
inline constexpr Values config_scope = {{"tpc"}, {"sm"}, {"device"}, {"none"}};
inline constexpr Values config_gate = {
    {"preferred", "preferred <= current"},
    {"space_only", "1"},
    {"preferred_if_dynamic", "bytes == 0 or preferred <= current"}};
inline constexpr Values shared_placement = {{"first_fit"}, {"best_fit"}, {"fragmented"}};
inline constexpr Values shared_granularity = {{"128", "(bytes + 127) / 128 * 128"},
                                              {"256", "(bytes + 255) / 256 * 256"},
                                              {"512", "(bytes + 511) / 512 * 512"},
                                              {"1024", "(bytes + 1023) / 1024 * 1024"}};
inline constexpr Values runtime_shared = {{"1024", "1024"}, {"0", "0"}, {"2048", "2048"}};
inline constexpr Values shared_room = {{"largest_interval", "longest / bytes"},
                                       {"every_interval", "whole"},
                                       {"total_free", "free / bytes"}};

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
    {"group_selection", table::group_selection, "room eligible warps blocks sms", "turn"},
    {"group_turn", table::group_turn},
    {"tie_break", table::tie_break,
     "sm sms tpc tpcs place_in_tpc gpc gpcs place_in_gpc sms_of_gpc tpc_in_gpc"},
    {"dispatch_batch", table::dispatch_batch, "left blocks sms margin"},
    {"batch_margin", table::batch_margin},
    {"batch_lag", table::batch_lag},
    {"pairs_in_flight", table::pairs_in_flight, "picks"},
    {"cursor_reset", table::cursor_reset},
    {"cluster_gpc", table::cluster_gpc, "turn fitting blocks sms"},
    {"cluster_gpc_order", table::cluster_gpc_order, {}, "sms"},
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
    {"config_rounding", table::config_rounding, "wanted up down largest w registers bytes",
     "power"},
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
  for (std::size_t value = 0; value < axes[axis].values.size(); ++value) {
    if (axes[axis].values[value].name == name) return static_cast<int>(value);
  }
  return -1;
}

/// An axis by its name; a name that there is not does not compile.
struct Axis {
  int number;
  consteval Axis(const char* name) : number(find_axis(name)) {
    if (number < 0) throw "no such axis";
  }
};
/// AXIS=VALUE, likewise.
struct Named {
  int axis;
  int value;
  consteval Named(const char* text) {
    const std::string_view of = text;
    axis = find_axis(of.substr(0, of.find('=')));
    value = axis < 0 ? -1 : find_value(axis, of.substr(of.find('=') + 1));
    if (value < 0) throw "no such value";
  }
};

}  // namespace cuvier::verify
