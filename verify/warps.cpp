#include "verify/warps.h"

#include <algorithm>
#include <numeric>

namespace cuvier::verify {

WarpFile::WarpFile(const Device& device) { free_slots.fill(device.slots_per_subpartition()); }

int WarpRules::warp_registers(const Kernel& kernel) const {
  if (const Formula* formula = mechanism_->formula<"register_granularity">()) {
    return std::clamp<long>(formula->number({kernel.registers, kernel.warps(), kernel.shared}), 32,
                            1 << 24);
  }
  return round_up(kernel.registers * 32L, mechanism_->number<"register_granularity">());
}

/// Warps whose registers the space still has.
long WarpRules::worth(const AddressSpace& space, int each) const {
  const long size = per_sm() ? device_->registers_per_sm : device_->registers_per_subpartition();
  if (!contiguous()) return (size - space.amount) / each;
  long warps = 0;
  for (const auto& gap : space.gaps(size)) warps += gap.length() / each;
  return warps;
}

/// c_q.
std::array<int, 4> WarpRules::can_take(const WarpFile& file, int registers_each) const {
  std::array<int, 4> warps = file.free_slots;
  if (per_sm()) return warps;
  for (int q = 0; q < 4; ++q) {
    warps[q] = std::min<long>(warps[q], worth(file.registers[q], registers_each));
  }
  return warps;
}

std::vector<int> WarpRules::routes(const WarpFile& file, const Kernel& kernel) const {
  const int w = kernel.warps();
  const int each = warp_registers(kernel);
  if (per_sm() && worth(file.registers[0], each) < w) return {};
  std::array<int, 4> left = can_take(file, each);
  std::array<int, 4> free_slots = file.free_slots;
  const Formula* formula = mechanism_->formula<"warp_placement">();
  const bool fixed = !formula && mechanism_->is<"warp_placement", "fixed_start">();
  const bool skip_full = !formula && mechanism_->is<"warp_placement", "skip_full">();
  const bool least_loaded = !formula && mechanism_->is<"warp_placement", "least_loaded">();
  std::vector<int> routes;
  int next = fixed ? 0 : file.pointer;  // for the next warp
  for (int i = 0; i < w; ++i) {
    int q = next;
    if (formula) {
      q = static_cast<int>(
          ((formula->number({file.pointer, i, w, kernel.registers, kernel.shared}) % 4) + 4) % 4);
    } else if (skip_full) {
      for (int offset = 0; offset < 4 && left[q] <= 0; ++offset) q = (q + 1) % 4;
    } else if (least_loaded) {
      q = -1;
      for (int other = 0; other < 4; ++other) {
        if (left[other] > 0 && (q < 0 || free_slots[other] > free_slots[q])) q = other;
      }
    }
    if (q < 0 || left[q] <= 0) return {};
    --left[q];
    --free_slots[q];
    routes.push_back(q);
    next = (q + 1) % 4;
  }
  return routes;
}

bool WarpRules::fits(const WarpFile& file, const Kernel& kernel) const {
  return !routes(file, kernel).empty();
}

int WarpRules::room(const WarpFile& file, const Kernel& kernel) const {
  const int w = kernel.warps();
  const int each = warp_registers(kernel);
  const std::array<int, 4> c = can_take(file, each);
  const int total = std::accumulate(c.begin(), c.end(), 0);
  const int m = *std::ranges::min_element(c);
  int j = 0;
  while (c[(file.pointer + j) % 4] != m) ++j;
  const long pool = per_sm() ? worth(file.registers[0], each) : total;
  if (const Formula* formula = mechanism_->formula<"room_warps">()) {
    return static_cast<int>(std::clamp<long>(
        formula->number({w, total, m, 4 * m + j, pool, kernel.registers, kernel.shared}), 0, 4096));
  }
  const bool in_warps = mechanism_->is<"room_warps", "strict_warps">();
  const bool pooled = mechanism_->is<"room_warps", "pooled_blocks">();
  const bool balanced = mechanism_->is<"room_warps", "balanced_blocks">();
  const long warps = pooled ? total : balanced ? 4 * m : 4 * m + j;
  const long limited = per_sm() ? std::min(warps, pool) : warps;
  return static_cast<int>(in_warps ? limited : limited / w);
}

int WarpRules::several(WarpFile file, const Kernel& kernel, int most) const {
  int blocks = 0;
  for (; blocks < most && fits(file, kernel); ++blocks) place(file, kernel);
  return blocks;
}

int WarpRules::pointer_behind(int pointer, int last, const Kernel& kernel) const {
  const Formula* placement = mechanism_->formula<"warp_placement">();
  const bool moves = placement ? placement->reads(0)
                               : mechanism_->is<"warp_placement", "strict_round_robin">() ||
                                     mechanism_->is<"warp_placement", "skip_full">();
  if (!moves) return pointer;
  const int next = (last + 1) % 4;
  const int warps = kernel.warps();
  if (const Formula* formula = mechanism_->formula<"pointer_skip">()) {
    return static_cast<int>(
        ((formula->number({next, warps, kernel.registers, kernel.shared, pointer}) % 4) + 4) % 4);
  }
  if (mechanism_->is<"pointer_skip", "restart">()) return 0;
  const bool skips =
      mechanism_->is<"pointer_skip", "always">() ||
      (mechanism_->is<"pointer_skip", "even">() && warps % 2 == 0) ||
      (mechanism_->is<"pointer_skip", "multiple_of_subpartitions">() && warps % 4 == 0);
  return (next + (skips ? 1 : 0)) % 4;
}

void WarpRules::place(WarpFile& file, const Kernel& kernel) const {
  HeldWarps held{routes(file, kernel), {}, warp_registers(kernel)};
  const int each = held.registers_each;
  const long size = per_sm() ? device_->registers_per_sm : device_->registers_per_subpartition();
  for (const int q : held.subpartitions) {
    --file.free_slots[q];
    AddressSpace& space = file.registers[per_sm() ? 0 : q];
    if (!contiguous()) {
      space.amount += each;
      continue;
    }
    for (const auto& gap : space.gaps(size)) {
      if (gap.length() < each) continue;
      space.take({gap.begin, gap.begin + each});
      held.registers.push_back(gap.begin);
      break;
    }
  }
  if (!held.subpartitions.empty()) {
    file.pointer = pointer_behind(file.pointer, held.subpartitions.back(), kernel);
  }
  file.held.push_back(std::move(held));
}

void WarpRules::leave(WarpFile& file, const std::vector<int>& places) const {
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const HeldWarps& held = file.held[*place];
    for (std::size_t i = 0; i < held.subpartitions.size(); ++i) {
      const int q = held.subpartitions[i];
      ++file.free_slots[q];
      AddressSpace& space = file.registers[per_sm() ? 0 : q];
      if (contiguous()) {
        space.give_back({held.registers[i], held.registers[i] + held.registers_each});
      } else {
        space.amount -= held.registers_each;
      }
    }
    file.held.erase(file.held.begin() + *place);
  }
  if (file.held.empty() && mechanism_->is<"pointer_reset", "sm_idle">()) file.pointer = 0;
}

void WarpRules::device_idle(WarpFile& file) const {
  if (!mechanism_->is<"pointer_reset", "never">()) file.pointer = 0;
}

int WarpRules::held_registers(const WarpFile& file) const {
  int registers = 0;
  for (const AddressSpace& space : file.registers) registers += static_cast<int>(space.amount);
  return registers;
}

}  // namespace cuvier::verify
