#include <algorithm>
#include <numeric>

#include "probes/families/draft.h"
#include "probes/families/families.h"

namespace cuvier {

/// Kernels of different local memory: growth waits for an idle device while
/// others are resident; whether a smaller kernel on an idle device shrinks the
/// configuration shows when one of middle size follows beside it.
Probe draw_local_memory(const Device& device, Rng& rng) {
  Draft draft("local_memory", device);
  const int unit = pick(rng, {16, 64, 256, 1024});
  const int count = uniform(rng, 3, 5);
  int launched_since_idle = 0;
  for (int i = 0; i < count; ++i) {
    const int blocks = uniform(rng, 1, std::min(device.sms, 8));
    Kernel kernel = chance(rng, 70) ? small_block(rng, blocks) : moderate_block(device, rng);
    kernel.local = unit * pick(rng, {0, 1, 2, 3, 4, 8});
    draft.launch(kernel);
    ++launched_since_idle;
    const bool last = i == count - 1;
    if (last || !chance(rng, 45)) continue;
    if (chance(rng, 70)) {
      draft.release_everything();
      launched_since_idle = 0;
    } else if (launched_since_idle > 1) {
      draft.release({draft.kernels() - 1});
    }
  }
  if (launched_since_idle > 1 && chance(rng, 40)) {
    // The one that waits starts when all the others have left.
    std::vector<int> others(draft.kernels() - 1);
    std::iota(others.begin(), others.end(), 0);
    draft.release(others);
  }
  return draft.finish();
}

}  // namespace cuvier
