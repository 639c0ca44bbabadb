#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// So many blocks as fill the memory to the byte if nothing is rounded, and one fewer if it is; or
/// one byte on either side of a round number; and a block that asks for what they leave.
void bytes(Draft& draft, const Device& device, Rng& rng) {
  constexpr int reserve = 1024;
  const int open = plug_all_but_few(draft, device, rng, 3);
  const int warps = pick(rng, {1, 1, 2, 3, 4, 8, 12, 17, 20});
  const int fit = std::min(device.max_blocks_per_sm, device.max_warps_per_sm / warps);
  const int parts = uniform(rng, 1, std::max(fit, 1));
  const int more = pick(rng, {0, 0, 1});
  Kernel kernel = narrow_block(parts * open + more);
  kernel.threads = 32 * warps;
  kernel.shared = device.largest_config() / parts - reserve;
  if (chance(rng, 50)) {
    const int unit = pick(rng, {128, 256, 384, 512, 1024});
    kernel.shared =
        std::max(kernel.shared, unit) / unit * unit + pick(rng, {-7, -1, 0, 1, 2, 4, 16});
  }
  kernel.shared = std::min(std::max(kernel.shared, 1), device.max_shared_per_block);
  draft.launch(kernel);
  const int taken = (kernel.shared + 127) / 128 * 128 + reserve;
  Kernel rest = narrow_block(open);
  rest.threads = 32 * pick(rng, {1, 4, 9});
  rest.shared = device.largest_config() - parts * taken - reserve + pick(rng, {-128, -1, 0, 0, 1});
  draft.launch(rest);
}

/// Blocks of which the last warp may not be whole, then one that asks for all warp slots that they
/// leave, and a warp more.
void part_warps(Draft& draft, const Device& device, Rng& rng) {
  const int open = plug_all_but_few(draft, device, rng, 3);
  const int widest = std::min(device.max_threads_per_block / 32, device.max_warps_per_sm);
  const int warps = uniform(rng, 1, widest);
  const int fit =
      std::min(device.max_warps_per_sm / warps, std::max(device.max_blocks_per_sm - 1, 1));
  const int blocks = uniform(rng, std::max(fit - 1, 1), fit);
  Kernel kernel = narrow_block(blocks * open);
  kernel.threads = 32 * warps - pick(rng, {0, 0, 1, 7, 16, 31});
  draft.launch(kernel);
  const int left = std::clamp(device.max_warps_per_sm - blocks * warps, 1, widest);
  Kernel rest = narrow_block(open);
  rest.threads = 32 * left - pick(rng, {0, 0, 1, 31});
  draft.launch(rest);
  draft.launch(narrow_block(1));
}

/// As many warps as the registers allow, with one register more or fewer for each thread.
void odd_registers(Draft& draft, const Device& device, Rng& rng) {
  const int open = plug_all_but_few(draft, device, rng, 3);
  const int per_subpartition = uniform(rng, 1, std::min(10, device.warps_per_subpartition()));
  Kernel kernel = narrow_block(1);
  kernel.threads = 32 * pick(rng, {1, 2, 3, 4, 5, 8});
  kernel.registers = registers_for(per_subpartition, device) + pick(rng, {-8, -1, 0, 1, 7, 8});
  kernel = to_legal(kernel, device);
  kernel.blocks = std::max(nominal_fit(kernel, device), 1) * open + pick(rng, {0, 1, 2});
  draft.launch(kernel);
  Kernel rest = kernel;
  rest.blocks = open;
  rest.threads = 32;
  rest.registers = kernel.registers + pick(rng, {-1, 0, 1});
  draft.launch(rest);
}

/// Grids about twice, three or more times the SMs, of blocks that are no small ones.
void grids(Draft& draft, const Device& device, Rng& rng) {
  Kernel kernel = narrow_block(1);
  kernel.threads = 32 * pick(rng, {1, 2, 4, 6});
  kernel.registers = pick(rng, {16, 33, 40});
  if (chance(rng, 30)) kernel.shared = uniform(rng, 1, std::max(device.largest_config() / 8, 1));
  if (chance(rng, 30)) kernel.priority = -uniform(rng, 1, 5);
  if (chance(rng, 20)) kernel.local = local_of_level(uniform(rng, 1, highest_local_level));
  const int layers = pick(rng, {1, 2, 2, 2, 3, 3, 3, 4, 5});
  kernel.blocks = std::max(layers * device.sms + uniform(rng, -5, 5), 1);
  draft.launch(kernel);
  const int readers = uniform(rng, 1, 5);
  draft.launch(small_block(rng, readers));
}

Kernel waiting(const Device& device, Rng& rng) {
  Kernel kernel = moderate_block(device, rng);
  kernel.blocks = chance(rng, 20) ? uniform(rng, 3, 2 * device.sms + 3) : uniform(rng, 1, 2);
  if (chance(rng, 40)) kernel.threads += pick(rng, {-31, -1, 1});
  if (chance(rng, 75)) kernel.priority = -uniform(rng, 0, 4);
  if (chance(rng, 40)) kernel.stream = chance(rng, 60) ? "a" : "b";
  return kernel;
}

/// Many kernels of all kinds and priorities behind one that waits. Blocks leave one by one: then
/// nothing depends on the order in which real hardware frees those of a release.
void many_wait(Draft& draft, const Device& device, Rng& rng) {
  const int plugged = plug(draft, device, rng, Plug::everything, 0);
  const int kernels = uniform(rng, 4, 14);
  for (int i = 0; i < kernels; ++i) draft.launch(waiting(device, rng));
  const int leave = uniform(rng, 3, 8);
  for (const int block : choose_some(rng, std::min(leave, device.sms), device.sms)) {
    draft.release_blocks({{plugged, {block}}});
  }
}

/// Many kernels of all kinds beside each other, and some again after some have left.
void many_stay(Draft& draft, const Device& device, Rng& rng) {
  const int kernels = uniform(rng, 6, 12);
  for (int i = 0; i < kernels; ++i) {
    Kernel kernel = moderate_block(device, rng);
    kernel.blocks = uniform(rng, 1, 6);
    if (chance(rng, 30)) kernel.threads -= pick(rng, {1, 31});
    if (chance(rng, 20)) kernel.priority = -uniform(rng, 0, 5);
    if (chance(rng, 15)) kernel.local = local_of_level(uniform(rng, 1, highest_local_level));
    draft.launch(kernel);
  }
  draft.release(choose_some(rng, uniform(rng, 1, kernels - 1), kernels));
  for (int i = uniform(rng, 1, 3); i > 0; --i) draft.launch(small_block(rng, i));
}

}  // namespace

/// One unit past what is round, and more of everything than usual: what the other families, which
/// look for what tells hypotheses apart, have no reason to ask.
void draw_edges(Draft& draft, const Device& device, Rng& rng) {
  pick(rng, {bytes, part_warps, odd_registers, grids, many_wait, many_stay})(draft, device, rng);
}

}  // namespace cuvier
