#pragma once

// The axes of docs/reference/scheduler.md and their values, by the page's names.

#include <iterator>
#include <string_view>

namespace cuvier::verify {

struct AxisRow {
  std::string_view name;
  /// Algorithm 1's first. Most are formulas that have a name, and then stand with what they say,
  /// over what the axis's formulas may read. The others are ways of working.
  std::string_view values;
  std::string_view formula = {};  ///< what its formulas may read; empty: it takes none
  std::string_view more = {};     ///< what else its named values read
};

inline constexpr std::string_view names_of_an_sm =
    "sm sms tpc tpcs place_in_tpc gpc gpcs place_in_gpc sms_of_gpc tpc_in_gpc";

inline constexpr AxisRow axes[] = {
    {"priority", "respected = priority; ignored = 0",
     "priority blocks w registers bytes placed joined running local waited turn streak later head"},
    {"queue", "fifo = 0; skip_ahead = 1",
     "head_left head_blocks head_warps head_priority left blocks w priority registers bytes "
     "head_registers head_bytes behind"},
    {"local_memory", "grow_when_idle = local > grown; set_when_idle = local > latest; ignored = 0",
     "local grown latest users wanted held"},
    {"admission", "any = 1",
     "blocks warps priority w registers bytes sm own tpc_blocks device_blocks kernels "
     "own_on_device joined urgent threads held_threads local grid sms mark own_sms marked cluster "
     "gpc_blocks gpc place_in_gpc sms_of_gpc tpc_clustered gpc_clusters device_urgent placed"},
    {"mark", "none = 0",
     "mark chosen gone w warps blocks sm most marked sms registers bytes priority joined at more "
     "device_blocks"},
    {"hierarchy", "flat; tpc = tpc; gpc = gpc", names_of_an_sm},
    {"selection",
     "most_room = -room; round_robin = turn; sticky_round_robin = turn; next_fit = turn; "
     "first_fit = 0; fewest_warps = warps; most_warps = -warps; least_used; most_used; "
     "fewest_blocks = blocks; paired = -room",
     "room warps blocks sm w registers bytes turn own tpc_blocks placed left sms joined since "
     "held_registers held_bytes rank priority freed tpc_own device_blocks received picks previous "
     "mark home gpc_blocks gpc home_gpc sms_of_gpc kernels"},
    {"group_selection",
     "most_room = -room; round_robin = turn; first_fit = 0; smallest_first = sms; "
     "fewest_warps = warps",
     "room eligible warps blocks sms turn least"},
    {"group_turn", "one_block; each_sm_once"},
    {"tie_break",
     "tpc_interleaved = (place_in_tpc, tpc); linear = sm; tpc_interleaved_odd_first = "
     "(place_in_tpc == 0, place_in_tpc, tpc); linear_reversed = -sm; gpc_major = (gpc, sm); "
     "gpc_smallest_first = (sms_of_gpc, gpc, sm); gpc_round_robin = (tpc_in_gpc, gpc, sm); "
     "learned; lone_tpcs_first = (sms_of_gpc > 2, place_in_tpc, tpc)",
     names_of_an_sm},
    {"dispatch_batch", "single = 0; pair = left > 2 * sms + margin", "left blocks sms margin"},
    {"batch_size", "one_or_two", "left blocks w sms registers bytes resident"},
    {"connection", "per_stream = stream", "stream launched priority"},
    {"batch_margin", "4 = 4; 0 = 0; 1 = 1; 2 = 2; 3 = 3; 5 = 5; 6 = 6; 7 = 7; 8 = 8"},
    {"batch_lag", "1 = 1; 0 = 0; 2 = 2"},
    {"pairs_in_flight",
     "one = 1; two = picks >= 4 ? 2 : 1; drifting = 1; drifting_from_two = picks >= 4 ? 2 : 1",
     "picks"},
    {"numbering", "as_chosen; by_gpc"},
    {"cursor_reset",
     "device_idle = device_blocks == 0; kernel = placed == 0 and cluster == 0; never = 0",
     "placed left w priority cluster joined device_blocks sms"},
    {"cluster_gpc",
     "in_turn = turn; first_fit = 0; most_room = -fitting; fewest_blocks = blocks; pass_by_pass",
     "turn fitting blocks sms warps own gpc cluster"},
    {"cluster_gpc_order", "smallest_first = sms; lowest_sm = 0; largest_first = -sms",
     "sms gpc gpcs cluster"},
    {"cluster_sms",
     "ascending = place_in_gpc; tpc_interleaved = (place_in_tpc, tpc); fewest_blocks = blocks",
     "sm place_in_gpc tpc place_in_tpc blocks warps tpc_blocks gpc sms cluster"},
    {"cluster_sharing", "apart; tpc_apart; shared"},
    {"cluster_cursor", "device_idle; kernel; shared"},
    {"cluster_wait", "holds; passed; passed_on_lone_tpcs"},
    {"cluster_limit", "none; eight"},
    {"warp_placement",
     "strict_round_robin = p + i; skip_full = onward; fixed_start = i; least_loaded = emptiest",
     "p i w registers bytes emptiest roomiest lightest onward"},
    {"warp_layout", "scattered = 0", "w registers bytes"},
    {"register_pool", "per_subpartition; per_sm"},
    {"register_layout", "renamed; contiguous = start", "", "start length bytes config"},
    {"register_granularity",
     "256 = (registers * 32 + 255) / 256 * 256; 512 = (registers * 32 + 511) / 512 * 512; "
     "1024 = (registers * 32 + 1023) / 1024 * 1024",
     "registers w bytes"},
    {"pointer_skip",
     "multiple_of_subpartitions = next + (w mod 4 == 0); none = next; always = next + 1; "
     "even = next + (w mod 2 == 0); restart = 0",
     "next w registers bytes p"},
    {"pointer_reset", "sm_idle = warps == 0; device_idle = idle; never = 0", "warps idle"},
    {"room_warps",
     "strict_blocks = min(strict, pool) / w; strict_warps = min(strict, pool); "
     "pooled_blocks = min(free, pool) / w; balanced_blocks = min(4 * scarcest, pool) / w",
     "w free scarcest strict pool registers bytes"},
    {"config_occupancy",
     "all_limits = min(blocks, 4 * min(slots, file / warp_registers) / w, in_space); "
     "ignore_registers = min(blocks, 4 * slots / w, in_space); single_block = 1; "
     "quadrupled_registers = min(blocks, min(4 * slots, 16 * (file / (registers * 32))) / w, "
     "in_space); quadrupled_warps_and_registers = min(blocks, min(16 * slots, 16 * (file / "
     "(registers * 32))) / w, in_space)",
     "w registers warp_registers slots file blocks in_space bytes grid sms local"},
    {"config_rounding",
     "up_to_supported = up; exact = min(wanted, largest); "
     "power_of_two = min(power(wanted), largest); largest = largest",
     "wanted up down largest w registers bytes"},
    {"config_scope", "tpc; sm; device; none"},
    {"config_gate",
     "preferred = preferred <= current; space_only = 1; "
     "preferred_if_dynamic = bytes == 0 or preferred <= current",
     "preferred current bytes w registers"},
    {"config_change",
     "when_idle; when_idle_before = "
     "idle == 0 or emptied == 1 and preferred <= current ? current : target",
     "preferred current idle device_idle bytes w registers target emptied"},
    {"config_target",
     "preferred = wanted; twice_the_blocks = wanted == block_bytes ? wanted : "
     "bytes == 0 ? (w < 16 ? 32768 : w < 24 ? 16384 : 8192) : "
     "min(w == 32 ? wanted : 2 * wanted, 32 * block_bytes, 135168)",
     "wanted block_bytes bytes w registers"},
    {"shared_placement", "first_fit = start; best_fit = length; fragmented; ring",
     "start length bytes config w registers"},
    {"shared_granularity",
     "128 = (bytes + 127) / 128 * 128; 256 = (bytes + 255) / 256 * 256; "
     "512 = (bytes + 511) / 512 * 512; 1024 = (bytes + 1023) / 1024 * 1024",
     "bytes w registers"},
    {"runtime_shared", "1024 = 1024; 0 = 0; 2048 = 2048", "bytes w registers"},
    {"shared_room",
     "largest_interval = longest / bytes; every_interval = whole; total_free = free / bytes",
     "bytes free longest whole config w registers"},
};
inline constexpr int axis_count = std::size(axes);

struct NamedValue {
  std::string_view name;  ///< empty: there is none
  std::string_view rule;  ///< empty: it is a way of working
};
/// That at a place of the axis's row.
constexpr NamedValue value_at(int axis, int place) {
  std::string_view rest = axes[axis].values;
  for (; place > 0; --place) {
    if (rest.find(';') == rest.npos) return {};
    rest.remove_prefix(rest.find(';') + 2);
  }
  const std::string_view value = rest.substr(0, rest.find(';'));
  const std::size_t name = value.find(" = ");
  return {value.substr(0, name), name == value.npos ? "" : value.substr(name + 3)};
}

/// -1: there is none of this name.
constexpr int find_axis(std::string_view name) {
  for (int axis = 0; axis < axis_count; ++axis) {
    if (axes[axis].name == name) return axis;
  }
  return -1;
}
constexpr int find_value(int axis, std::string_view name) {
  for (int place = 0; !value_at(axis, place).name.empty(); ++place) {
    if (value_at(axis, place).name == name) return place;
  }
  return -1;
}

/// An axis by its name; a name that there is not does not compile.
struct Axis {
  int number;
  consteval Axis(const char* name) : number(find_axis(name)) {
    if (number < 0) throw "no such axis";
  }
  constexpr operator int() const { return number; }
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
