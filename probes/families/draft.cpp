#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "probes/families/families.h"
#include "probes/json_fields.h"

namespace cuvier {

namespace {

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

constexpr int most_in_a_grid = largest_number;

// Registers per warp come in units of 256, that is 8 per thread.
constexpr int registers_step = 8;

// The largest reserve that a hypothesis knows: what is left of it fits under all.
constexpr int largest_reserve = 2048;

}  // namespace

bool chance(Rng& rng, int percent) { return uniform(rng, 0, 99) < percent; }

std::vector<int> choose_some(Rng& rng, int count, int range) {
  std::vector<int> all(range);
  std::iota(all.begin(), all.end(), 0);
  count = std::min(count, range);
  for (int i = 0; i < count; ++i) std::swap(all[i], all[uniform(rng, i, range - 1)]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

Kernel to_legal(Kernel kernel, const Device& device) {
  kernel.blocks = std::clamp(kernel.blocks, 1, most_in_a_grid);
  // With the fewest registers an SM may hold fewer warps than it has slots for.
  const int by_registers = device.registers_per_sm / (kFewestRegisters * 32) /
                           device.subpartitions * device.subpartitions;
  const int most_warps = std::min(device.max_warps_per_sm, by_registers);
  const int most_threads = std::min(device.max_threads_per_block, most_warps * 32);
  kernel.threads = std::clamp(kernel.threads, 1, most_threads);
  kernel.shared = std::clamp(kernel.shared, 0, device.max_shared_per_block);
  const int per_warp = device.registers_per_sm / round_up(kernel.warps(), device.subpartitions);
  const int by_file = per_warp / (registers_step * 32) * registers_step;
  const int most_registers = std::min(device.max_registers_per_thread, by_file);
  kernel.registers = std::min(std::max(kernel.registers, kFewestRegisters), most_registers);
  if (kernel.local > 0) {
    int level = 1;
    while (level < highest_local_level && local_of_level(level) < kernel.local) ++level;
    kernel.local = local_of_level(level);
    const auto above = std::ranges::upper_bound(registers_with_local, kernel.registers);
    kernel.registers = *std::prev(above);
  }
  if (kernel.cluster) {
    const int largest = device.largest_cluster();
    if (largest == 0) {
      kernel.cluster.reset();
    } else {
      kernel.cluster = std::clamp(*kernel.cluster, 1, largest);
      const int most_blocks = most_in_a_grid / *kernel.cluster * *kernel.cluster;
      kernel.blocks = std::min(round_up(kernel.blocks, *kernel.cluster), most_blocks);
    }
  }
  return kernel;
}

int nominal_fit(const Kernel& kernel, const Device& device) {
  const int per_warp = round_up(kernel.registers * 32, registers_step * 32);
  const int warps = device.subpartitions * std::min(device.warps_per_subpartition(),
                                                    device.registers_per_subpartition() / per_warp);
  const int shared = round_up(kernel.shared, 128) + 1024;
  return std::min(
      {device.max_blocks_per_sm, warps / kernel.warps(), device.largest_config() / shared});
}

int registers_for(int warps, const Device& device) {
  const int per_thread = device.registers_per_subpartition() / (warps * 32);
  return std::min(per_thread / registers_step * registers_step, device.max_registers_per_thread);
}

int shared_edge(int bytes, int parts, Rng& rng) {
  const int reserve = pick(rng, {0, 1024, 1024, 1024, 2048});
  const int off = pick(rng, {-1024, -512, -256, -128, -1, 0, 0, 1, 128, 256, 512});
  return std::max(bytes / parts / 128 * 128 - reserve + off, 0);
}

int some_shared(const Device& device, int parts, Rng& rng) {
  return uniform(rng, 1, std::max(device.max_shared_per_block / parts, 1));
}

Kernel moderate_block(const Device& device, Rng& rng) {
  Kernel kernel{.blocks = 1,
                .threads = 32 * pick(rng, {1, 2, 3, 4, 5, 6, 8}),
                .registers = 8 * uniform(rng, 2, 8)};
  if (chance(rng, 40)) kernel.shared = some_shared(device, 4, rng);
  return kernel;
}

Kernel narrow_block(int blocks) {
  return {.blocks = blocks, .threads = 32, .registers = kFewestRegisters};
}

Kernel small_block(Rng& rng, int blocks) {
  return {.blocks = blocks,
          .threads = 32 * pick(rng, {1, 1, 1, 2, 3}),
          .registers = pick(rng, {16, 24, 32})};
}

Kernel bulky(const Device& device, Rng& rng) {
  return {.blocks = uniform(rng, 1, 2),
          .threads = 32 * uniform(rng, 18, 26),
          .registers = device.registers_per_sm / device.max_threads_per_block};
}

Kernel filling_block(const Device& device, Scarce scarce, int fit) {
  Kernel kernel = narrow_block(1);
  switch (scarce) {
    case Scarce::slots:
      break;
    case Scarce::warps:
      kernel.threads = 32 * std::max(device.max_warps_per_sm / fit, 1);
      break;
    case Scarce::registers:
      kernel.threads = 32 * device.subpartitions;
      kernel.registers = registers_for(fit, device);
      break;
    case Scarce::shared:
      kernel.shared = device.largest_config() / fit - kKiB;
      break;
  }
  return kernel;
}

Kernel one_sided(const Device& device, Rng& rng) {
  Kernel kernel;
  kernel.registers = pick(rng, {16, 24, 32});
  const int kind = uniform(rng, 0, 3);
  if (kind == 0) kernel.threads = 32 * uniform(rng, 6, 16);
  if (kind == 1) {
    kernel.threads = 32 * uniform(rng, 1, 3);
    kernel.registers = uniform(rng, 128, 255);
  }
  if (kind == 2) {
    kernel.threads = 32 * uniform(rng, 1, 2);
    const int divisor = uniform(rng, 2, 6);
    kernel.shared = device.largest_config() / divisor - 2048;
  }
  if (kind == 3) kernel.threads = 32;
  const int grid = uniform(rng, 0, 3);
  kernel.blocks = grid == 0   ? uniform(rng, 1, 6)
                  : grid == 1 ? device.sms / 2 + uniform(rng, -2, 2)
                  : grid == 2 ? device.sms / 3 + uniform(rng, -1, 1)
                              : uniform(rng, 1, device.sms + 2);
  return kernel;
}

Kernel carver(const Device& device, Rng& rng) {
  Kernel kernel{.blocks = 1,
                .threads = 32 * pick(rng, {1, 1, 2, 3, 4, 5, 6, 8, 12, 16}),
                .registers = chance(rng, 50) ? pick(rng, {16, 32, 64, 96, 128, 168, 255})
                                             : uniform(rng, 16, 255)};
  const int kind = uniform(rng, 0, 9);
  if (kind <= 1) return kernel;  // without dynamic shared memory the gate may differ
  if (kind == 2) {
    kernel.shared = uniform(rng, 1, 3072);
    return kernel;
  }
  const int config = pick_from(rng, device.shared_configs);
  const int parts = pick(rng, {1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16});
  kernel.shared = shared_edge(config, parts, rng);
  return kernel;
}

Release take_some(Release& there, int count, Rng& rng) {
  Release taken{there.kernel, {}};
  for (const int which : choose_some(rng, count, static_cast<int>(there.blocks.size()))) {
    taken.blocks.push_back(there.blocks[which]);
  }
  std::erase_if(there.blocks,
                [&](int block) { return std::ranges::binary_search(taken.blocks, block); });
  return taken;
}

Draft::Draft(std::string_view family, const Device& device) : device_(device) {
  probe_.name = family;
}

int Draft::launch(Kernel kernel) {
  const int index = kernels();
  kernel.name = "k" + std::to_string(index + 1);
  probe_.kernels.push_back(to_legal(std::move(kernel), device_));
  probe_.script.push_back({index, {}});
  return index;
}

void Draft::release(const std::vector<int>& kernels) {
  release_blocks(mapped(kernels, [](int kernel) { return Release{kernel, {}}; }));
}

void Draft::release_blocks(const std::vector<Release>& releases) {
  if (!releases.empty()) probe_.script.push_back({{}, releases});
}

void Draft::release_everything() {
  std::vector<int> all(probe_.kernels.size());
  std::iota(all.begin(), all.end(), 0);
  release(all);
}

int plug(Draft& draft, const Device& device, Rng& rng, Plug what, int open) {
  Kernel kernel;
  kernel.threads = device.max_threads_per_block;
  kernel.registers = device.registers_per_sm / kernel.threads;
  kernel.shared = what == Plug::registers ? 0 : device.max_shared_per_block - largest_reserve;
  const bool takes_all = open == 0 || chance(rng, 60);
  kernel.blocks = takes_all ? device.sms : device.sms - open;
  const int index = draft.launch(kernel);
  if (open == 0 || !takes_all) return index;
  std::vector<int> freed = choose_some(rng, open, device.sms);
  // Where SMs are taken in the order 0, 2, 4, …, 1, 3, 5, …, these two are one TPC.
  if (open == 2 && device.sms >= 4 && chance(rng, 50)) {
    freed[0] = uniform(rng, 0, device.sms / 2 - 1);
    freed[1] = freed[0] + device.sms / 2;
  }
  draft.release_blocks({{index, freed}});
  return index;
}

int plug_all_but_few(Draft& draft, const Device& device, Rng& rng, int most) {
  const int open = uniform(rng, 1, most);
  plug(draft, device, rng, Plug::everything, open);
  return open;
}

void thin_out(Draft& draft, Rng& rng) {
  std::vector<Release> releases;
  for (int kernel = 0; kernel < draft.kernels(); ++kernel) {
    if (chance(rng, 40)) continue;
    const int blocks = draft.kernel(kernel).blocks;
    const int some = uniform(rng, 1, std::min(blocks, 4));
    releases.push_back({kernel, choose_some(rng, some, blocks)});
  }
  draft.release_blocks(releases);
}

void take_slots(Draft& draft, const Device& device, int left, int blocks) {
  Kernel kernel{.blocks = blocks, .registers = kFewestRegisters};
  const int widest = device.max_threads_per_block / 32 / device.subpartitions;
  if (widest == 0) kernel.blocks *= device.subpartitions;  // a block is too small for a round
  for (int rounds = device.warps_per_subpartition() - left; rounds > 0;) {
    const int taken = std::clamp(widest, 1, rounds);
    kernel.threads = widest == 0 ? 32 : 32 * device.subpartitions * taken;
    draft.launch(kernel);
    rounds -= taken;
  }
}

}  // namespace cuvier
