#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// A few blocks on some SMs, and then a grid of blocks so large that few more fit: where it goes
/// round unequal SMs, a pick that would place two places one, and the number of blocks left is
/// odd when it comes to the last for which two may be placed.
void unequal_sms(Draft& draft, const Device& device, Rng& rng) {
  Kernel before{.blocks = chance(rng, 60) ? uniform(rng, 1, 3) : uniform(rng, 1, device.sms),
                .threads = 32 * pick(rng, {1, 1, 2, 4, 8}),
                .registers = pick(rng, {kFewestRegisters, 32})};
  if (chance(rng, 70)) before.shared = some_shared(device, 2, rng);
  const int first = draft.launch(before);
  if (chance(rng, 40)) {
    // What stays keeps its SMs configured for what has left: where a configuration is made for a
    // single block, that lets in several.
    const int blocks = uniform(rng, 1, 3);
    draft.launch(small_block(rng, blocks));
    draft.release({first});
  }
  const int grids = chance(rng, 80) ? 1 : 2;
  for (int i = 0; i < grids; ++i) {
    Kernel grid{.threads = 32 * uniform(rng, 4, 24),
                .registers = pick(rng, {kFewestRegisters, 32})};
    const int layers = pick(rng, {2, 3, 3, 3, 4});
    grid.blocks = std::max(layers * device.sms + uniform(rng, -device.sms / 2, 24), 1);
    draft.launch(grid);
  }
}

}  // namespace

/// One grid of several blocks per SM, near a multiple of the number of SMs. A
/// pick that places two blocks at once, as long as enough are left, shows just
/// above two blocks per SM; when it stops gives the margin and the lag.
void draw_large_grid(Draft& draft, const Device& device, Rng& rng) {
  if (chance(rng, 20)) return unequal_sms(draft, device, rng);
  if (chance(rng, 35)) {
    // Unequal SMs: a pair then goes elsewhere than two single blocks.
    Kernel before = moderate_block(device, rng);
    before.blocks = uniform(rng, 1, device.sms);
    draft.launch(before);
  } else if (chance(rng, 15)) {
    plug_all_but_few(draft, device, rng, std::max(device.sms / 2, 1));
  }
  Kernel kernel = small_block(rng, 1);
  // Sometimes few blocks fit, or an odd number: the second of a pair may not.
  if (chance(rng, 30)) kernel.threads = 32 * pick(rng, {4, 6, 8, 12, 16});
  if (chance(rng, 20)) {
    const int parts = uniform(rng, 3, 7);
    kernel.shared = shared_edge(device.largest_config(), parts, rng);
  }
  const int layers = pick(rng, {1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8});
  const int beyond = chance(rng, 75) ? uniform(rng, -3, 24) : uniform(rng, 0, device.sms);
  kernel.blocks = std::max(device.sms * layers + beyond, 1);
  draft.launch(kernel);
  const int readers = uniform(rng, 0, 2);
  for (int i = 0; i < readers; ++i) {
    const int blocks = uniform(rng, 1, 6);
    draft.launch(small_block(rng, blocks));
  }
}

}  // namespace cuvier
