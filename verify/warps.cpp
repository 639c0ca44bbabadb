// Warps and registers on one SM: scheduler.md, 5 and 6.

#include "verify/sm_rules.h"

namespace cuvier::verify {
namespace {

int subpartition(long number) { return static_cast<int>((number % 4 + 4) % 4); }

}  // namespace

WarpRules::WarpRules(const RulesOf& of)
    : RulesOf(of),
      per_sm_(mechanism.is("register_pool=per_sm")),
      fit_{mechanism.rule("register_layout")},
      file_size_(per_sm_ ? device.registers_per_sm : device.registers_per_sm / 4) {
  for (const Kernel& kernel : kernels) {
    each_.push_back(mechanism.number(
        "register_granularity", {kernel.registers, kernel.warps(), kernel.shared}, 32, 1 << 24));
  }
}

WarpFile WarpRules::empty() const {
  WarpFile file;
  file.free_slots.fill(device.max_warps_per_sm / 4);
  return file;
}

/// c_q.
std::array<int, 4> WarpRules::can_take(const WarpFile& file, int kernel) const {
  std::array<int, 4> warps = file.free_slots;
  for (int q = 0; q < 4 && !per_sm_; ++q) {
    warps[q] = static_cast<int>(std::min<long>(warps[q], worth(file.registers[q], kernel)));
  }
  return warps;
}

int WarpRules::to(int p, int i, int k, const Dealt& dealt) const {
  const Kernel& kernel = kernels[k];
  const auto first_with_most = [](const auto& number) {
    int best = 0;
    for (int q = 1; q < 4; ++q) {
      if (number(q) > number(best)) best = q;
    }
    return best;
  };
  const int emptiest =
      first_with_most([&](int q) { return dealt.room[q] > 0 ? dealt.free_slots[q] : -1; });
  const int roomiest = first_with_most([&](int q) { return dealt.room[q]; });
  const int lightest = first_with_most([&](int q) { return -dealt.held[q]; });
  int onward = dealt.next;
  for (int offset = 0; offset < 4 && dealt.room[onward] <= 0; ++offset) onward = (onward + 1) % 4;
  return subpartition(mechanism.number(
      "warp_placement",
      {p, i, kernel.warps(), kernel.registers, kernel.shared, emptiest, roomiest, lightest, onward},
      -(1 << 20), 1 << 20));
}

std::optional<int> WarpRules::row(const WarpFile& file, int k) const {
  const Kernel& kernel = kernels[k];
  const int slots = device.max_warps_per_sm;
  const int step = static_cast<int>(std::min<long>(
      mechanism.number("warp_layout", {kernel.warps(), kernel.registers, kernel.shared}), slots));
  if (step <= 0) return std::nullopt;
  for (int begin = 0; begin + kernel.warps() <= slots; begin += step) {
    const auto is_in_it = [&](const HeldWarps& held) {
      return held.row && *held.row < begin + kernel.warps() &&
             begin < *held.row + std::ssize(held.subpartitions);
    };
    if (std::ranges::none_of(file.held, is_in_it)) return begin;
  }
  return slots;
}

std::vector<int> WarpRules::routes(const WarpFile& file, int k) const {
  const int w = kernels[k].warps();
  if (row(file, k) == device.max_warps_per_sm) return {};
  if (per_sm_ && worth(file.registers[0], k) < w) return {};
  Dealt dealt{can_take(file, k), file.free_slots, {}, file.pointer};
  for (const HeldWarps& held : file.held) {
    for (std::size_t i = 0; i < held.registers.size(); ++i) {
      dealt.held[held.subpartitions[i]] += held.registers[i].length;
    }
  }
  std::vector<int> routes;
  for (int i = 0; i < w; ++i) {
    const int q = to(file.pointer, i, k, dealt);
    if (dealt.room[q] <= 0) return {};
    --dealt.room[q];
    --dealt.free_slots[q];
    dealt.held[q] += each_[k];
    dealt.next = (q + 1) % 4;
    routes.push_back(q);
  }
  return routes;
}

int WarpRules::room(const WarpFile& file, int k, const Around&) const {
  const Kernel& kernel = kernels[k];
  const std::array<int, 4> c = can_take(file, k);
  const int total = std::accumulate(c.begin(), c.end(), 0);
  const int m = *std::ranges::min_element(c);
  int j = 0;
  while (c[(file.pointer + j) % 4] != m) ++j;
  const long pool = per_sm_ ? worth(file.registers[0], k) : total;
  return static_cast<int>(mechanism.number(
      "room_warps", {kernel.warps(), total, m, 4 * m + j, pool, kernel.registers, kernel.shared}, 0,
      4096));
}

int WarpRules::usage(const WarpFile& file, int k) const {
  long registers = k < 0 ? 0 : kernels[k].warps() * each_[k];
  for (const AddressSpace& space : file.registers) registers += space.amount;
  return static_cast<int>(registers);
}

int WarpRules::pointer_behind(int pointer, int last, int k) const {
  const Formula& placement = *mechanism.rule("warp_placement");
  const bool passes_over = placement.reads("onward");
  if (!passes_over && !placement.reads("p")) return pointer;
  const Kernel& kernel = kernels[k];
  const int next = passes_over ? last + 1 : pointer + kernel.warps();
  return subpartition(mechanism.number(
      "pointer_skip", {next % 4, kernel.warps(), kernel.registers, kernel.shared, pointer}, -1024,
      1024));
}

int WarpRules::pointer_after(int k, int last) const {
  const Formula& reset = *mechanism.rule("pointer_reset");
  if (reset.condition({0, 0}) || reset.condition({0, 1})) return 0;
  const Formula& placement = *mechanism.rule("warp_placement");
  const bool can_tell = placement.reads("p") && !placement.reads("emptiest") &&
                        !placement.reads("roomiest") && !placement.reads("lightest") &&
                        !placement.reads("onward");
  int before = 0;
  for (int p = 3; can_tell && p > 0; --p) {
    if (to(p, kernels[k].warps() - 1, k, {}) == last) before = p;
  }
  return pointer_behind(before, last, k);
}

void WarpRules::place(WarpFile& file, int k, const Around&) const {
  HeldWarps held{routes(file, k), {}, row(file, k)};
  for (const int q : held.subpartitions) {
    --file.free_slots[q];
    held.registers.push_back(
        file.registers[per_sm_ ? 0 : q].take(file_size_, each_[k], fit_, 1, kernels[k].registers));
  }
  if (!held.subpartitions.empty()) {
    file.pointer = pointer_behind(file.pointer, held.subpartitions.back(), k);
  }
  file.held.push_back(std::move(held));
}

void WarpRules::leave(WarpFile& file, const std::vector<int>& places) const {
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const auto& [subpartitions, registers, row] = file.held[*place];
    for (std::size_t i = 0; i < subpartitions.size(); ++i) {
      ++file.free_slots[subpartitions[i]];
      file.registers[per_sm_ ? 0 : subpartitions[i]].give_back(registers[i]);
    }
    file.held.erase(file.held.begin() + *place);
  }
  const int free = std::accumulate(file.free_slots.begin(), file.free_slots.end(), 0);
  const int left = device.max_warps_per_sm / 4 * 4 - free;
  if (mechanism.rule("pointer_reset")->condition({left, 0})) file.pointer = 0;
}

void WarpRules::device_idle(WarpFile& file) const {
  if (mechanism.rule("pointer_reset")->condition({0, 1})) file.pointer = 0;
}

Kind WarpRules::kind(int, const Around&) const {
  Kind kind{};
  auto at = kind.begin();
  for (const Axis axis : {Axis("warp_placement"), Axis("register_pool"), Axis("register_layout"),
                          Axis("register_granularity"), Axis("pointer_skip"), Axis("pointer_reset"),
                          Axis("warp_layout")}) {
    *at++ = reinterpret_cast<long>(mechanism[axis]);
  }
  return kind;
}

}  // namespace cuvier::verify
