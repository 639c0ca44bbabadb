#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// Some SMs are full, the others hold more of this and less of that. Small kernels that come then
/// show whether anything of it matters: many of them ask for the same, or for local memory.
void draw_unequal(Draft& draft, const Device& device, Rng& rng) {
  const int most = std::max(std::min(device.sms / 2, device.sms * 8 / device.max_blocks_per_sm), 1);
  const int full = chance(rng, 40) ? most : uniform(rng, 1, most);
  // What an idle device sets up is there for all that come later.
  const int first = draft.launch({.threads = 32, .local = local_of_level(4)});
  draft.release({first});
  const int plugging = plug(draft, device, rng, Plug::everything, full);
  const int fit = uniform(rng, 2, 6);
  const Scarce scarce =
      pick(rng, {Scarce::warps, Scarce::registers, Scarce::shared, Scarce::slots, Scarce::slots});
  Kernel filling = filling_block(device, scarce, fit);
  filling.blocks = full * nominal_fit(to_legal(filling, device), device);
  draft.launch(filling);
  draft.release({plugging});
  for (int loads = uniform(rng, 1, 2); loads > 0; --loads) {
    Kernel load = one_sided(device, rng);
    load.blocks = std::min(load.blocks, std::max(device.sms / 2, 1));
    draft.launch(load);
  }
  if (chance(rng, 50)) thin_out(draft, rng);
  Kernel reader;
  for (int readers = 0; readers < 5; ++readers) {
    if (readers == 0 || chance(rng, 50)) {
      reader = small_block(rng, 1);
      if (chance(rng, 40)) reader.local = local_of_level(uniform(rng, 1, 4));
    }
    reader.blocks = uniform(rng, 1, 7);
    draft.launch(reader);
  }
}

}  // namespace cuvier
