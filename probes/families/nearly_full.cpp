#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// Fills all SMs alike to half or more of what is scarcest, with small kernels that come while it
/// is so and after some have left: what a scheduler does by how much the device holds in all.
void draw_nearly_full(Draft& draft, const Device& device, Rng& rng) {
  const int fit = uniform(rng, 3, 8);  // blocks that fill an SM
  const Scarce scarce =
      pick(rng, {Scarce::registers, Scarce::shared, Scarce::warps, Scarce::warps});
  Kernel filling = filling_block(device, scarce, fit);
  const int on_each = uniform(rng, (fit + 1) / 2, fit);
  const int off = uniform(rng, -3, 3);
  const int kernels = uniform(rng, 1, std::min(on_each, 3));
  std::vector<Release> resident;
  for (int i = 0; i < kernels; ++i) {
    filling.blocks = std::max((device.sms * on_each + off) / kernels, 1);
    const int index = draft.launch(filling);
    resident.push_back({index, choose_some(rng, filling.blocks, filling.blocks)});
  }
  const int rounds = uniform(rng, 1, 3);
  for (int round = 0; round < rounds; ++round) {
    Kernel coming = small_block(rng, uniform(rng, 1, 4));
    coming.priority = pick(rng, {0, 0, 0, -1});
    draft.launch(coming);
    const auto from = resident.begin() + uniform(rng, 0, std::ssize(resident) - 1);
    const int leave = uniform(rng, 1, std::ssize(from->blocks));
    draft.release_blocks({take_some(*from, leave, rng)});
    if (from->blocks.empty()) resident.erase(from);
    if (resident.empty()) break;
  }
  draft.launch(small_block(rng, uniform(rng, 1, 4)));
}

}  // namespace cuvier
