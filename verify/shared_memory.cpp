// Shared memory on one SM: scheduler.md, 5 and 6.

#include "verify/sm_rules.h"

namespace cuvier::verify {
namespace {

constexpr long most_for_a_block = 1 << 24;
constexpr int no_limit = 1 << 30;

}  // namespace

SharedRules::SharedRules(const RulesOf& of)
    : RulesOf(of),
      fit_{mechanism.rule("shared_placement"), mechanism.is("shared_placement=ring")},
      change_(mechanism.rule("config_change")),
      scope_(mechanism[Axis("config_scope")]->named) {
  for (const Kernel& kernel : kernels) needs_.push_back(needs(kernel));
}

SharedRules::Needs SharedRules::needs(const Kernel& kernel) const {
  const auto [w, r, asked] = std::array<long, 3>{kernel.warps(), kernel.registers, kernel.shared};
  const long bytes = mechanism.number("shared_granularity", {asked, w, r}, 0, most_for_a_block) +
                     mechanism.number("runtime_shared", {asked, w, r}, 0, 65536);
  const auto& configs = device.shared_configs;
  const long largest = configs.back();
  const long blocks = device.max_blocks_per_sm;
  const long occ = mechanism.number(
      "config_occupancy",
      {w, r, mechanism.number("register_granularity", {r, w, asked}, 32, most_for_a_block),
       device.max_warps_per_sm / 4, device.registers_per_sm / 4, blocks,
       bytes == 0 ? blocks : largest / bytes, bytes, kernel.blocks, device.sms, kernel.local},
      1, mechanism.is_formula("config_occupancy") ? 64 : no_limit);
  const auto rounded = [&](long wanted) {
    const auto above = std::ranges::lower_bound(configs, wanted);
    const auto below = std::ranges::upper_bound(configs, wanted);
    return mechanism.number(
        "config_rounding",
        {wanted, above == configs.end() ? largest : *above,
         below == configs.begin() ? *below : *std::prev(below), largest, w, r, asked},
        0, largest);
  };
  const long preferred = rounded(occ * bytes);
  const long wanted =
      mechanism.number("config_target", {occ * bytes, bytes, asked, w, r}, 0, 1 << 30);
  return {bytes, preferred, std::max(preferred, rounded(wanted))};
}

long SharedRules::with_block(int k, std::size_t domain, const Around& around) const {
  if (domain != scope_) return 0;
  const auto& [idle, emptied, config] = around[domain];
  if (!change_) return idle ? target(k) : config;
  const Kernel& kernel = kernels[k];
  const long bytes =
      change_->number({needs_[k].preferred, config, idle, around.back().idle, kernel.shared,
                       kernel.warps(), kernel.registers, target(k), emptied});
  return std::clamp(bytes, 0L, static_cast<long>(device.shared_configs.back()));
}

bool SharedRules::fits(const SharedMemory& memory, int k, const Around& around) const {
  const auto& [bytes, preferred, target] = needs_[k];
  const long config = size_for(k, around);
  const Kernel& kernel = kernels[k];
  if (has_domains() && !is_idle(around) &&
      mechanism.number("config_gate",
                       {preferred, config, kernel.shared, kernel.warps(), kernel.registers}) == 0) {
    return false;
  }
  return bytes == 0 || memory.space.pieces(config, bytes, fit_) > 0;
}

int SharedRules::room(const SharedMemory& memory, int k, const Around& around) const {
  const Kernel& kernel = kernels[k];
  const long bytes = needs_[k].bytes;
  const long config = size_for(k, around);
  if (bytes == 0) return no_limit;
  if (is_idle(around)) return static_cast<int>(config / bytes);
  if (fit_.is_scattered()) return static_cast<int>(memory.space.left(config) / bytes);
  long longest = 0;
  for (const auto& gap : memory.space.gaps(config, fit_)) longest = std::max(longest, gap.length);
  return static_cast<int>(mechanism.number(
      "shared_room",
      {bytes, memory.space.left(config), longest, memory.space.pieces(config, bytes, fit_), config,
       kernel.warps(), kernel.registers},
      0, 4096));
}

void SharedRules::place(SharedMemory& memory, int k, const Around& around) const {
  const Kernel& kernel = kernels[k];
  const long bytes = needs_[k].bytes;
  memory.held.push_back(bytes == 0 ? AddressSpace::Piece{}
                                   : memory.space.take(size_for(k, around), bytes, fit_,
                                                       kernel.warps(), kernel.registers));
}

void SharedRules::leave(SharedMemory& memory, const std::vector<int>& places) const {
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    memory.space.give_back(memory.held[*place]);
    memory.held.erase(memory.held.begin() + *place);
  }
}

Kind SharedRules::kind(int k, const Around& around) const {
  return {needs_[k].bytes, size_for(k, around), reinterpret_cast<long>(fit_.key), fit_.is_ring};
}

}  // namespace cuvier::verify
