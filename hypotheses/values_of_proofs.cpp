#include "hypotheses/values_of_proofs.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace cuvier {
namespace {

/// An axis, and its values that were thought of.
struct Known {
  std::string_view axis;
  std::string_view values;
};

// By hand, so that it fails closed: a new axis or value is not here until somebody has gone through
// "A new axis or value" in docs/design/proofs.md.
constexpr Known known[] = {
    {"queue", "fifo skip_ahead"},
    {"priority", "respected ignored"},
    {"local_memory", "grow_when_idle set_when_idle ignored"},
    {"admission", "any"},
    {"mark", "none"},
    {"batch_size", "one_or_two"},
    {"connection", "per_stream"},
    {"hierarchy", "flat tpc gpc"},
    {"selection",
     "most_room round_robin sticky_round_robin next_fit first_fit fewest_warps most_warps "
     "least_used most_used fewest_blocks paired"},
    {"group_selection", "most_room round_robin first_fit smallest_first fewest_warps"},
    {"group_turn", "one_block each_sm_once"},
    {"tie_break",
     "tpc_interleaved linear tpc_interleaved_odd_first linear_reversed gpc_major "
     "gpc_smallest_first gpc_round_robin learned lone_tpcs_first"},
    {"dispatch_batch", "single pair"},
    {"batch_margin", "4 0 1 2 3 5 6 7 8"},
    {"batch_lag", "1 0 2"},
    {"pairs_in_flight", "one two drifting drifting_from_two"},
    {"numbering", "as_chosen by_gpc"},
    {"cursor_reset", "device_idle kernel never"},
    {"register_granularity", "256 512 1024"},
    {"warp_placement", "strict_round_robin skip_full fixed_start least_loaded"},
    {"register_pool", "per_subpartition per_sm"},
    {"register_layout", "renamed contiguous"},
    {"warp_layout", "scattered"},
    {"pointer_skip", "multiple_of_subpartitions none always even restart"},
    {"pointer_reset", "sm_idle device_idle never"},
    {"room_warps", "strict_blocks strict_warps pooled_blocks balanced_blocks"},
    {"config_occupancy",
     "all_limits ignore_registers single_block quadrupled_registers "
     "quadrupled_warps_and_registers"},
    {"config_rounding", "up_to_supported exact power_of_two largest"},
    {"shared_granularity", "128 256 512 1024"},
    {"runtime_shared", "1024 0 2048"},
    {"config_scope", "tpc sm device none"},
    {"config_gate", "preferred space_only preferred_if_dynamic"},
    {"config_change", "when_idle when_idle_before"},
    {"config_target", "preferred twice_the_blocks"},
    {"shared_placement", "first_fit best_fit fragmented ring"},
    {"shared_room", "largest_interval every_interval total_free"},
    {"cluster_gpc", "in_turn first_fit most_room fewest_blocks pass_by_pass"},
    {"cluster_gpc_order", "smallest_first lowest_sm largest_first"},
    {"cluster_sms", "ascending tpc_interleaved fewest_blocks"},
    {"cluster_sharing", "apart tpc_apart shared"},
    {"cluster_cursor", "device_idle kernel shared"},
    {"cluster_wait", "holds passed passed_on_lone_tpcs"},
    {"cluster_limit", "none eight"},
};

/// An axis of which any formula was thought of: what proofs rest on does not know which value it
/// is. Of so many names, that is: with another one the table in docs/design/proofs.md is gone
/// through again.
struct WithFormulas {
  std::string_view axis;
  std::size_t names;
};
constexpr WithFormulas with_formulas[] = {
    {"queue", 13},
    {"priority", 14},
    {"local_memory", 6},
    {"admission", 31},
    {"mark", 17},
    {"hierarchy", 10},
    {"selection", 32},
    {"group_selection", 7},
    {"tie_break", 10},
    {"dispatch_batch", 4},
    {"pairs_in_flight", 1},
    {"batch_size", 7},
    {"connection", 3},
    {"cursor_reset", 8},
    {"register_granularity", 3},
    {"warp_placement", 9},
    {"warp_layout", 3},
    {"pointer_skip", 5},
    {"pointer_reset", 2},
    {"room_warps", 7},
    {"config_occupancy", 11},
    {"config_rounding", 7},
    {"config_gate", 5},
    {"config_change", 9},
    {"config_target", 5},
    {"shared_placement", 6},
    {"shared_granularity", 3},
    {"runtime_shared", 3},
    {"shared_room", 7},
    {"cluster_gpc", 8},
    {"cluster_gpc_order", 4},
    {"cluster_sms", 10},
};

constexpr std::uint32_t bit_of_value(int axis, std::string_view name) {
  const auto values = axis_info(axis).values;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (values[v].name == name) return 1u << v;
  }
  throw "the axis has no such value";
}

/// Names that stand in a row.
constexpr void for_each(std::string_view names, auto visit) {
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    visit(names.substr(at, end - at));
    at = end + 1;
  }
}

constexpr std::array<std::uint32_t, kAxes> masks() {
  std::array<std::uint32_t, kAxes> scope{};
  scope.fill(1);
  for (const Known& row : known) {
    const int axis = find_axis(row.axis).value();
    for_each(row.values, [&](std::string_view name) { scope[axis] |= bit_of_value(axis, name); });
  }
  for (const WithFormulas& row : with_formulas) {
    const int axis = find_axis(row.axis).value();
    if (axis_info(axis).formula->names.size() != row.names) throw "nobody thought of a name of it";
    scope[axis] |= ~((std::uint32_t{1} << named_values(axis)) - 1);
  }
  return scope;
}

}  // namespace

const std::array<std::uint32_t, kAxes>& values_of_proofs() {
  static constexpr auto scope = masks();
  return scope;
}

std::optional<std::string> outside_of_claims(const Hypothesis& hypothesis) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const int value = hypothesis.values[axis];
    if (value < kReverse && (values_of_proofs()[axis] >> value & 1)) continue;
    return fmt::format("{}={}", axis_info(axis).name, axis_value(axis, value).name);
  }
  return std::nullopt;
}

}  // namespace cuvier
