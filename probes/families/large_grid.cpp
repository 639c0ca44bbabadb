#include <algorithm>

#include "probes/families/draft.h"
#include "probes/families/families.h"

namespace cuvier {

/// One grid of several blocks per SM, near a multiple of the number of SMs. A
/// pick that places two blocks at once, as long as enough are left, shows just
/// above two blocks per SM; when it stops gives the margin and the lag.
Probe draw_large_grid(const Device& device, Rng& rng) {
  Draft draft("large_grid", device);
  if (chance(rng, 35)) {
    // Unequal SMs: a pair then goes elsewhere than two single blocks.
    Kernel before = moderate_block(device, rng);
    before.blocks = uniform(rng, 1, device.sms);
    draft.launch(before);
  } else if (chance(rng, 15)) {
    plug(draft, device, rng, Plug::everything, uniform(rng, 1, std::max(device.sms / 2, 1)));
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
  return draft.finish();
}

}  // namespace cuvier
