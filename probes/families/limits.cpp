#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// As many blocks as fill the whole device, so many on each SM, and one small one more.
Probe filled(const Device& device, std::string_view limit, Kernel kernel, int per_sm) {
  Draft draft(limit, device);
  kernel.blocks = per_sm * device.sms;
  draft.launch(kernel);
  Kernel one_more{.blocks = 1, .threads = 32};
  draft.launch(one_more);
  return draft.finish();
}

Kernel kernel_of(int warps, int registers) {
  return {.threads = 32 * warps, .registers = registers};
}

/// The widths, in warps, of which so many blocks as an SM has slots for fill its warp slots.
std::vector<int> filling_widths(const Device& device) {
  std::vector<int> widths;
  for (int warps = 1; 32 * warps <= device.max_threads_per_block; ++warps) {
    const bool fills = device.max_warps_per_sm % warps == 0;
    if (fills && device.max_warps_per_sm / warps <= device.max_blocks_per_sm) {
      widths.push_back(warps);
    }
  }
  return widths;
}

void fill_registers(std::vector<Probe>& probes, const Device& device) {
  for (const int registers : {32, 64, 128, 255}) {
    const int per_warp = (registers + 7) / 8 * 8 * 32;
    const int warps = device.subpartitions * (device.registers_per_subpartition() / per_warp);
    for (int blocks = 1; blocks <= 2; ++blocks) {
      const Kernel kernel = kernel_of(warps / blocks, registers);
      const bool fills = warps % blocks == 0 && warps <= device.max_warps_per_sm;
      if (!fills || to_legal(kernel, device).threads != kernel.threads ||
          to_legal(kernel, device).registers != kernel.registers) {
        continue;
      }
      probes.push_back(filled(device, "registers", kernel, blocks));
      break;
    }
  }
}

void fill_shared_memory(std::vector<Probe>& probes, const Device& device) {
  constexpr int unit = 128;
  constexpr int reserve = 1024;
  const auto fill = [&](int config, Kernel kernel, int parts) {
    kernel.shared = config / parts / unit * unit - reserve;
    if (kernel.shared < 0 || kernel.shared > device.max_shared_per_block) return;
    probes.push_back(filled(device, "shared memory", kernel, parts));
  };
  // Of which an idle SM holds two: so two of them ask for just that configuration.
  const Kernel half = kernel_of(std::max(device.max_warps_per_sm / 2 - 3, 1), kFewestRegisters);
  for (const int config : device.shared_configs) fill(config, half, 2);
  for (const int parts : {1, 3, device.max_blocks_per_sm}) {
    fill(device.largest_config(), kernel_of(1, kFewestRegisters), parts);
  }
  // If nothing is rounded, as many fit; otherwise one fewer.
  for (const int parts : {3, 7}) {
    Kernel kernel = kernel_of(1, kFewestRegisters);
    kernel.shared = device.largest_config() / parts - reserve;
    probes.push_back(filled(device, "shared memory to the byte", kernel, parts));
  }
}

/// As many kernels with local memory as may be resident, the last of which needs more than the
/// others had set up; then half of the others end, and half again.
Probe as_many_with_local_memory(const Device& device) {
  Draft draft("local memory", device);
  Kernel kernel = narrow_block(1);
  kernel.local = local_of_level(1);
  int others = device.max_resident_kernels - 1;
  for (int i = 0; i < others; ++i) draft.launch(kernel);
  kernel.local = local_of_level(2);
  draft.launch(kernel);
  while (others > 0) {
    std::vector<int> ended;
    for (const int left = others / 2; others > left; --others) ended.push_back(others - 1);
    draft.release(ended);
  }
  return draft.finish();
}

/// The least that a kernel can have, alone; then ever more, while others are there: a session
/// sets up for the most that it has seen.
void fill_local_memory(std::vector<Probe>& probes, const Device& device) {
  Kernel kernel = narrow_block(1);
  kernel.local = local_of_level(1);
  Draft least("local memory", device);
  least.launch(kernel);
  probes.push_back(least.finish());
  probes.push_back(as_many_with_local_memory(device));
  Draft more("local memory", device);
  for (int level = 1; level <= highest_local_level; ++level) {
    kernel.local = local_of_level(level);
    const int launched = more.launch(kernel);
    if (launched > 0) more.release({launched - 1});
  }
  probes.push_back(more.finish());
}

Probe as_many_kernels(const Device& device) {
  Draft draft("resident kernels", device);
  for (int i = 0; i <= device.max_resident_kernels; ++i) {
    draft.launch(narrow_block(1));
  }
  draft.release({0});
  return draft.finish();
}

Probe as_many_clusters(const Device& device, int size) {
  Draft draft("clusters", device);
  Kernel kernel = kernel_of(device.max_threads_per_block / 32,
                            device.registers_per_sm / device.max_threads_per_block);
  kernel.cluster = size;
  kernel.blocks = (device.sms / size + 1) * size;
  draft.launch(kernel);
  return draft.finish();
}

}  // namespace

std::vector<Probe> limit_probes(const Device& device) {
  std::vector<Probe> probes;
  fill_local_memory(probes, device);  // first: no other probe has grown it yet
  probes.push_back(filled(device, "block slots", kernel_of(1, kFewestRegisters),
                          std::min(device.max_blocks_per_sm, device.max_warps_per_sm)));
  if (const auto widths = filling_widths(device); !widths.empty()) {
    const int narrow = widths.front();
    const int wide = widths.back();
    probes.push_back(
        filled(device, "warps", kernel_of(wide, kFewestRegisters), device.max_warps_per_sm / wide));
    if (narrow != wide) {
      probes.push_back(filled(device, "warps", kernel_of(narrow, kFewestRegisters),
                              device.max_warps_per_sm / narrow));
    }
  }
  fill_registers(probes, device);
  fill_shared_memory(probes, device);
  probes.push_back(as_many_kernels(device));
  for (int size = 2; size <= device.largest_cluster(); size *= 2) {
    probes.push_back(as_many_clusters(device, size));
  }
  return probes;
}

}  // namespace cuvier
