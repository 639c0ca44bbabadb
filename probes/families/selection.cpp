#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

// Each kind of load is heavy in one resource: an SM with few warps may have the
// most blocks, or the least room, or be the fullest by shared memory.
Kernel load(const Device& device, Rng& rng) {
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

// Opens gaps in the regular pattern that launches alone make.
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

}  // namespace

/// SMs that differ in warps, blocks, room and use, each in its own order; the
/// small kernels that follow show which of these orders the selection follows,
/// in groups or flat, and where its cursor stands.
void draw_selection(Draft& draft, const Device& device, Rng& rng) {
  const int loads = uniform(rng, 1, 3);
  for (int i = 0; i < loads; ++i) draft.launch(load(device, rng));
  if (chance(rng, 50)) thin_out(draft, rng);
  if (chance(rng, 10)) draft.release_everything();
  const int readers = uniform(rng, 1, 4);
  for (int i = 0; i < readers; ++i) {
    const int most = chance(rng, 20) ? device.sms : 7;
    const int blocks = uniform(rng, 1, most);
    Kernel reader = chance(rng, 60) ? small_block(rng, blocks) : moderate_block(device, rng);
    reader.blocks = blocks;
    draft.launch(reader);
    if (chance(rng, 15)) draft.release({draft.kernels() - 1});
  }
}

}  // namespace cuvier
