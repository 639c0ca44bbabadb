#include "probes/families/families.h"

namespace cuvier {

namespace {

// Half, one, two, three blocks per SM, in one kernel or in a few of one shape.
void layers(Draft& draft, const Device& device, Rng& rng) {
  Kernel kernel = moderate_block(device, rng);
  const int halves = uniform(rng, 1, 6);
  const int total = device.sms * halves / 2 + uniform(rng, -2, 2);
  const int parts = uniform(rng, 1, 3);
  for (int part = 0; part < parts; ++part) {
    kernel.blocks = total / parts;
    draft.launch(kernel);
  }
}

// Small kernels one after the other: a cursor that starts again with each of
// them, or with an idle device, or never, sends them to different SMs.
void small_kernels(Draft& draft, const Device& device, Rng& rng) {
  const int count = uniform(rng, 3, 6);
  const int idle_after = uniform(rng, 0, count * 2);
  Kernel kernel = moderate_block(device, rng);
  for (int i = 0; i < count; ++i) {
    kernel.blocks = uniform(rng, 1, 5);
    draft.launch(kernel);
    if (i == idle_after) draft.release_everything();
    if (chance(rng, 30)) kernel = moderate_block(device, rng);
  }
}

}  // namespace

/// On equal SMs only the tie-break order, the cursor and the groups decide:
/// the shortest way to all three.
void draw_order(Draft& draft, const Device& device, Rng& rng) {
  if (chance(rng, 55)) {
    layers(draft, device, rng);
  } else {
    small_kernels(draft, device, rng);
  }
  if (chance(rng, 25)) draft.release_everything();
  const int readers = uniform(rng, 0, 2);
  for (int i = 0; i < readers; ++i) {
    const int blocks = uniform(rng, 1, 4);
    draft.launch(small_block(rng, blocks));
  }
}

}  // namespace cuvier
