#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// SMs that differ in warps, blocks, room and use, each in its own order; the
/// small kernels that follow show which of these orders the selection follows,
/// in groups or flat, and where its cursor stands.
void draw_selection(Draft& draft, const Device& device, Rng& rng) {
  const int loads = uniform(rng, 1, 3);
  for (int i = 0; i < loads; ++i) draft.launch(one_sided(device, rng));
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
