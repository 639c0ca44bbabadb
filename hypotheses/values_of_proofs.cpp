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

/// Axes of which any formula was thought of: what proofs rest on does not know which value it is.
constexpr std::string_view with_formulas =
    "queue priority local_memory admission mark hierarchy selection group_selection tie_break "
    "dispatch_batch pairs_in_flight batch_size connection cursor_reset register_granularity "
    "warp_placement warp_layout pointer_skip pointer_reset room_warps config_occupancy "
    "config_rounding config_gate config_change config_target shared_placement "
    "shared_granularity runtime_shared shared_room cluster_gpc cluster_gpc_order cluster_sms";

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
  for_each(with_formulas, [&](std::string_view name) {
    const int axis = find_axis(name).value();
    scope[axis] |= ~((std::uint32_t{1} << named_values(axis)) - 1);
  });
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
