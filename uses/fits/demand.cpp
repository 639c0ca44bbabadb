#include "uses/fits/demand.h"

#include <algorithm>

namespace cuvier {
namespace {

constexpr int register_unit = 256;  // a warp's registers are allocated in these
constexpr int shared_unit = 128;    // bytes
constexpr int runtime_shared = 1024;

int round_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

int registers_per_warp(const Kernel& kernel) {
  return round_up(kernel.registers * 32, register_unit);
}

template <class Demand>
Resource resource(const char* name, int capacity, const std::vector<Kernel>& kinds,
                  Demand&& demand) {
  Resource resource{name, capacity, {}};
  for (const Kernel& kernel : kinds) resource.per_block.push_back(demand(kernel));
  return resource;
}

int one(const Kernel&) { return 1; }

}  // namespace

DemandSet demands_of(const std::vector<Kernel>& kernels) {
  DemandSet set;
  for (int k = 0; k < static_cast<int>(kernels.size()); ++k) {
    const Kernel& kernel = kernels[k];
    const auto alike = std::ranges::find_if(set.kinds, [&](const Kernel& kind) {
      return kind.threads == kernel.threads && kind.registers == kernel.registers &&
             kind.shared == kernel.shared;
    });
    if (alike == set.kinds.end()) {
      set.kinds.push_back(kernel);
      set.members.push_back({k});
    } else {
      alike->blocks += kernel.blocks;
      set.members[alike - set.kinds.begin()].push_back(k);
    }
  }
  return set;
}

std::vector<Resource> limits(const Device& device, const std::vector<Kernel>& kinds) {
  return {
      resource("block_slots", device.max_blocks_per_sm, kinds, one),
      resource("warp_slots", device.max_warps_per_sm, kinds,
               [](const Kernel& k) { return k.warps(); }),
      resource("registers", device.registers_per_sm, kinds,
               [](const Kernel& k) { return k.warps() * registers_per_warp(k); }),
      resource("shared_bytes", device.largest_config(), kinds,
               [](const Kernel& k) { return round_up(k.shared, shared_unit); }),
  };
}

std::vector<Resource> needs(const Device& device, const std::vector<Kernel>& kinds, int carve_out) {
  const auto share = [&](const Kernel& k) {
    return (k.warps() + device.subpartitions - 1) / device.subpartitions;
  };
  int most_registers = 1;
  for (const Kernel& kernel : kinds) {
    most_registers = std::max(most_registers, registers_per_warp(kernel));
  }
  const int any_warps =
      device.subpartitions * std::min(device.warps_per_subpartition(),
                                      device.registers_per_subpartition() / most_registers);
  return {
      resource("block_slots", device.max_blocks_per_sm, kinds, one),
      resource("warps_of_subpartition", device.warps_per_subpartition(), kinds, share),
      resource("registers_of_subpartition", device.registers_per_subpartition(), kinds,
               [&](const Kernel& k) { return share(k) * registers_per_warp(k); }),
      resource("warps_of_any_registers", any_warps, kinds,
               [](const Kernel& k) { return k.warps(); }),
      resource("shared_bytes", carve_out, kinds,
               [](const Kernel& k) { return round_up(k.shared, shared_unit) + runtime_shared; }),
  };
}

}  // namespace cuvier
