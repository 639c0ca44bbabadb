#include "verify/tables.h"

namespace cuvier::verify {

const std::vector<int>& axes_of(int part) {
  static const auto axes_of_parts = [] {
    const auto named = [](std::initializer_list<Axis> axes) {
      return std::vector<int>(axes.begin(), axes.end());
    };
    std::vector<std::vector<int>> all = {
        named({"register_granularity", "warp_placement", "warp_layout", "register_pool",
               "register_layout", "pointer_skip", "pointer_reset", "room_warps"}),
        named({"register_granularity", "config_occupancy", "config_rounding", "shared_granularity",
               "runtime_shared", "config_scope", "config_gate", "config_change", "config_target",
               "shared_placement", "shared_room"}),
        named({"dispatch_batch", "batch_margin", "batch_lag", "pairs_in_flight", "batch_size",
               "numbering"})};
    for (int axis = 0; axis < axis_count; ++axis) {
      const auto has = [&](const auto& part) { return std::ranges::count(part, axis) > 0; };
      if (std::ranges::none_of(all, has)) all.push_back({axis});
    }
    return all;
  }();
  return axes_of_parts.at(part);
}

int part_of(int axis) {
  static const auto parts_of_axes = [] {
    std::array<int, axis_count> part_of{};
    for (int part = parts - 1; part >= 0; --part) {
      for (const int axis : axes_of(part)) part_of[axis] = part;
    }
    return part_of;
  }();
  return parts_of_axes[axis];
}

Combinations combinations_of(const Space& space) {
  Combinations all;
  for (int part = 0; part < parts; ++part) {
    all[part] = {Mechanism()};
    for (const int axis : axes_of(part)) {
      std::vector<Mechanism> more;
      for (const Mechanism& each : all[part]) {
        for (const Value* value : space.values(axis)) {
          more.push_back(each);
          more.back()[axis] = value;
        }
      }
      all[part] = std::move(more);
    }
  }
  return all;
}

Answers::Range Answers::range(const Set* set) {
  const auto [at, is_new] = ranges_.try_emplace(set);
  if (is_new) {
    const auto answer = [&](int each) { return by_combination[each]; };
    const auto [least, most] = std::ranges::minmax(*set, {}, answer);
    at->second = {answer(least), answer(most)};
  }
  return at->second;
}

}  // namespace cuvier::verify
