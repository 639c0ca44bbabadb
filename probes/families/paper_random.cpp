#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

Kernel any_kernel(const Device& device, Rng& rng) {
  Kernel kernel;
  const int size = uniform(rng, 0, 3);
  kernel.blocks = size == 0   ? uniform(rng, 1, 8)
                  : size == 1 ? device.sms / 2 + uniform(rng, -1, 1)
                  : size == 2 ? device.sms + uniform(rng, -1, 1)
                              : uniform(rng, 1, 2 * device.sms);
  const int warps = chance(rng, 60) ? uniform(rng, 1, 8) : uniform(rng, 1, 32);
  kernel.threads = 32 * warps;
  const int low_or_high = chance(rng, 60) ? 64 : 255;
  kernel.registers = uniform(rng, kFewestRegisters, low_or_high);
  if (chance(rng, 50)) {
    const int parts = uniform(rng, 1, 12);
    const int config = pick_from(rng, device.shared_configs);
    kernel.shared = chance(rng, 50) ? shared_edge(config, parts, rng)
                                    : uniform(rng, 0, device.max_shared_per_block / parts);
  }
  if (chance(rng, 10)) kernel.local = local_of_level(uniform(rng, 1, 7));
  if (chance(rng, 10)) kernel.priority = -uniform(rng, 0, 2);
  return kernel;
}

}  // namespace

/// The paper's randomized sequences: any kernels, any releases. What no theme
/// foresees, and the shapes from which mutations start.
void draw_paper_random(Draft& draft, const Device& device, Rng& rng) {
  const int count = uniform(rng, 3, 7);
  int budget = 4 * device.sms;
  std::vector<int> resident;
  for (int i = 0; i < count; ++i) {
    Kernel kernel = any_kernel(device, rng);
    if (kernel.blocks > budget) kernel.blocks = uniform(rng, 1, 4);
    budget -= kernel.blocks;
    resident.push_back(draft.launch(kernel));
    if (!chance(rng, 30)) continue;
    const int which = uniform(rng, 0, static_cast<int>(resident.size()) - 1);
    const int released = resident[which];
    if (chance(rng, 65)) {
      draft.release({released});
      resident.erase(resident.begin() + which);
    } else {
      const int blocks = draft.kernel(released).blocks;
      const int some = uniform(rng, 1, std::min(blocks, 6));
      draft.release_blocks({{released, choose_some(rng, some, blocks)}});
    }
  }
}

}  // namespace cuvier
