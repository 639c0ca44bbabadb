#include <algorithm>
#include <numeric>

#include "probes/families/families.h"

namespace cuvier {

namespace {

Kernel with_local(const Device& device, Rng& rng, int local) {
  const int blocks = uniform(rng, 1, std::min(device.sms, 8));
  Kernel kernel = chance(rng, 70) ? small_block(rng, blocks) : moderate_block(device, rng);
  kernel.blocks = blocks;
  kernel.local = local;
  return kernel;
}

// Grown, idle, less needed, then something between: it need not wait if the
// configuration was kept.
void shrink(Draft& draft, const Device& device, Rng& rng, int base) {
  const int large = base + uniform(rng, 1, 3);
  draft.launch(with_local(device, rng, local_of_level(large)));
  draft.release_everything();
  const int small = uniform(rng, 0, large - 1);
  draft.launch(with_local(device, rng, local_of_level(small)));
  const int between = uniform(rng, small + 1, large + (chance(rng, 20) ? 1 : 0));
  draft.launch(with_local(device, rng, local_of_level(between)));
}

void any_order(Draft& draft, const Device& device, Rng& rng, int base) {
  const int count = uniform(rng, 3, 5);
  for (int i = 0; i < count; ++i) {
    const int level = chance(rng, 20) ? 0 : base + uniform(rng, 0, 3);
    draft.launch(with_local(device, rng, local_of_level(level)));
    if (i == count - 1 || !chance(rng, 45)) continue;
    if (chance(rng, 70)) {
      draft.release_everything();
    } else {
      draft.release({draft.kernels() - 1});
    }
  }
}

}  // namespace

/// Kernels of different local memory: growth waits for an idle device while
/// others are resident; a smaller kernel on an idle device may shrink the
/// configuration again.
void draw_local_memory(Draft& draft, const Device& device, Rng& rng) {
  const int base = pick(rng, {1, 3, 5, 7});
  if (chance(rng, 50)) {
    shrink(draft, device, rng, base);
  } else {
    any_order(draft, device, rng, base);
  }
  if (chance(rng, 30)) draft.launch(small_block(rng, 2));  // passes one that waits, or not
  if (chance(rng, 30)) {
    // One that waits starts when all the others have left.
    std::vector<int> others(draft.kernels() - 1);
    std::iota(others.begin(), others.end(), 0);
    draft.release(others);
  }
}

}  // namespace cuvier
