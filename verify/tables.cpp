#include "verify/tables.h"

#include <algorithm>

namespace cuvier::verify {

const std::vector<int>& axes_of(int part) {
  static const auto axes_of_parts = [] {
    std::vector<std::vector<int>> all = {
        {find_axis("register_granularity"), find_axis("warp_placement"), find_axis("warp_layout"),
         find_axis("register_pool"), find_axis("register_layout"), find_axis("pointer_skip"),
         find_axis("pointer_reset"), find_axis("room_warps")},
        {find_axis("register_granularity"), find_axis("config_occupancy"),
         find_axis("config_rounding"), find_axis("shared_granularity"), find_axis("runtime_shared"),
         find_axis("config_scope"), find_axis("config_gate"), find_axis("config_change"),
         find_axis("shared_placement"), find_axis("shared_room")},
        {find_axis("dispatch_batch"), find_axis("batch_margin"), find_axis("batch_lag"),
         find_axis("pairs_in_flight"), find_axis("batch_size")}};
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

Configs ConfigTable::changed(const std::vector<long>& what, const auto& config) {
  const auto [made, is_new] = made_.try_emplace(what);
  if (!is_new) return made->second;
  std::vector<int> configs(shared_->combinations());
  for (std::size_t each = 0; each < configs.size(); ++each) {
    configs[each] = static_cast<int>(config(static_cast<int>(each)));
  }
  return made->second = lists_.get(std::move(configs));
}

Configs ConfigTable::none() {
  return changed({0}, [](int) { return 0; });
}

Configs ConfigTable::taken_over(Configs other, const Set& kept) {
  if (!other) return none();
  return changed({1, number_of(other)}, [&](int each) { return (*other)[kept[each]]; });
}

Configs ConfigTable::with_block(int kernel, int domain, const Domains& around) {
  const auto& [idle, configs] = around[domain];
  const bool device_is_idle = around.back().idle;
  return changed({2, kernel, domain, number_of(configs), idle, device_is_idle}, [&](int each) {
    return shared_->rules(each).with_block(kernel, domain, under(around, each));
  });
}

Configs ConfigTable::left(Configs configs) {
  return changed({3, number_of(configs)},
                 [&](int each) { return shared_->rules(each).left((*configs)[each]); });
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
