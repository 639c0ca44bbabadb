#include "verify/shared_memory.h"

#include <algorithm>

namespace cuvier::verify {

/// occ.
long SharedRules::occupancy(const Kernel& kernel, int warp_registers, long bytes) const {
  const long w = kernel.warps();
  const long slots = device_->slots_per_subpartition();
  const long file = device_->registers_per_subpartition();
  const long in_space = bytes == 0 ? device_->max_blocks_per_sm : device_->largest_config() / bytes;
  if (const Formula* formula = mechanism_->formula<"config_occupancy">()) {
    return std::max(1L, formula->number({w, kernel.registers, warp_registers, slots, file,
                                         device_->max_blocks_per_sm, in_space, bytes}));
  }
  if (mechanism_->is<"config_occupancy", "single_block">()) return 1;
  long warps = 4 * slots;
  if (mechanism_->is<"config_occupancy", "all_limits">()) {
    warps = 4 * std::min(slots, file / warp_registers);
  } else if (!mechanism_->is<"config_occupancy", "ignore_registers">()) {
    const bool quadrupled = mechanism_->is<"config_occupancy", "quadrupled_warps_and_registers">();
    warps = std::min((quadrupled ? 16 : 4) * slots, 16 * (file / (kernel.registers * 32L)));
  }
  return std::max(1L, std::min({long{device_->max_blocks_per_sm}, warps / w, in_space}));
}

/// The configuration for so many bytes.
long SharedRules::rounded(long wanted, const Kernel& kernel) const {
  const auto& configs = device_->shared_configs;
  const long largest = device_->largest_config();
  const auto above = std::ranges::find_if(configs, [&](int config) { return config >= wanted; });
  const long up = above == configs.end() ? largest : *above;
  if (const Formula* formula = mechanism_->formula<"config_rounding">()) {
    long down = configs.front();
    for (const int config : configs) {
      if (config <= wanted) down = config;
    }
    return std::clamp(formula->number({wanted, up, down, largest, kernel.warps(), kernel.registers,
                                       kernel.shared}),
                      0L, largest);
  }
  if (mechanism_->is<"config_rounding", "up_to_supported">()) return up;
  if (mechanism_->is<"config_rounding", "exact">()) return std::min(wanted, largest);
  if (mechanism_->is<"config_rounding", "largest">()) return largest;
  long power = 1;
  while (power < wanted) power *= 2;
  return std::min(power, largest);
}

SharedNeeds SharedRules::needs(const Kernel& kernel, int warp_registers) const {
  const Formula* granularity = mechanism_->formula<"shared_granularity">();
  const Formula* runtime = mechanism_->formula<"runtime_shared">();
  constexpr long most = 1 << 24;
  long bytes =
      granularity
          ? std::clamp(granularity->number({kernel.shared, kernel.warps(), kernel.registers}), 0L,
                       most)
          : round_up(kernel.shared, mechanism_->number<"shared_granularity">());
  bytes += runtime ? std::clamp(runtime->number({kernel.shared, kernel.warps(), kernel.registers}),
                                0L, most)
                   : mechanism_->number<"runtime_shared">();
  const long blocks = occupancy(kernel, warp_registers, bytes);
  return {bytes, rounded(blocks * bytes, kernel), kernel.shared, kernel.warps(), kernel.registers};
}

bool SharedRules::fits(const SharedMemory& memory, const SharedNeeds& needs, long config) const {
  if (config != idle) {
    const Formula* formula = mechanism_->formula<"config_gate">();
    if (formula) {
      if (!formula->condition({needs.preferred, config, needs.asked, needs.warps, needs.registers}))
        return false;
    } else if (mechanism_->is<"config_gate", "preferred">() ||
               (mechanism_->is<"config_gate", "preferred_if_dynamic">() && needs.asked > 0)) {
      if (needs.preferred > config) return false;
    }
  }
  if (needs.bytes == 0) return true;
  const long size = config == idle ? needs.preferred : config;
  if (fragmented()) return size - memory.space.amount >= needs.bytes;
  return std::ranges::any_of(memory.space.gaps(size),
                             [&](const auto& gap) { return gap.length() >= needs.bytes; });
}

int SharedRules::room(const SharedMemory& memory, const SharedNeeds& needs, long config) const {
  if (needs.bytes == 0) return no_limit;
  if (config == idle) return static_cast<int>(needs.preferred / needs.bytes);
  long longest = 0;
  long whole = 0;
  for (const auto& gap : memory.space.gaps(config)) {
    longest = std::max(longest, gap.length());
    whole += gap.length() / needs.bytes;
  }
  const long free = config - memory.space.amount;
  if (const Formula* formula = mechanism_->formula<"shared_room">()) {
    if (fragmented()) longest = free, whole = free / needs.bytes;
    return static_cast<int>(
        std::clamp(formula->number({needs.bytes, free, longest, whole, config}), 0L, 4096L));
  }
  if (fragmented() || mechanism_->is<"shared_room", "total_free">()) {
    return static_cast<int>(free / needs.bytes);
  }
  const bool every = mechanism_->is<"shared_room", "every_interval">();
  return static_cast<int>(every ? whole : longest / needs.bytes);
}

void SharedRules::place(SharedMemory& memory, const SharedNeeds& needs, long config) const {
  AddressSpace::Interval taken;
  if (fragmented()) {
    memory.space.amount += needs.bytes;
    taken = {0, needs.bytes};
  } else if (needs.bytes > 0) {
    const bool best = mechanism_->is<"shared_placement", "best_fit">();
    AddressSpace::Interval gap;
    for (const auto& each : memory.space.gaps(config == idle ? needs.preferred : config)) {
      if (each.length() < needs.bytes) continue;
      if (gap.length() == 0 || (best && each.length() < gap.length())) gap = each;
    }
    if (gap.length() > 0) {
      taken = {gap.begin, gap.begin + needs.bytes};
      memory.space.take(taken);
    }
  }
  memory.held.push_back(taken);
}

void SharedRules::leave(SharedMemory& memory, const std::vector<int>& places) const {
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const AddressSpace::Interval held = memory.held[*place];
    memory.held.erase(memory.held.begin() + *place);
    if (fragmented()) {
      memory.space.amount -= held.length();
    } else if (held.length() > 0) {
      memory.space.give_back(held);
    }
  }
}

int SharedRules::several(SharedMemory memory, const SharedNeeds& needs, long config,
                         int most) const {
  int blocks = 0;
  for (; blocks < most && fits(memory, needs, config); ++blocks) {
    place(memory, needs, config);
    if (config == idle) config = needs.preferred;
  }
  return blocks;
}

}  // namespace cuvier::verify
