#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

void decorate(Kernel& kernel, Rng& rng) {
  if (chance(rng, 60)) kernel.priority = -uniform(rng, 0, 2);
  if (chance(rng, 30)) kernel.stream = chance(rng, 50) ? "a" : "b";
}

// Releases one block at a time: then nothing depends on the order in which
// real hardware frees the blocks of a release.
void release_one_by_one(Draft& draft, int kernel, int count, Rng& rng) {
  for (int block : choose_some(rng, count, draft.kernel(kernel).blocks)) {
    draft.release_blocks({{kernel, {block}}});
  }
}

// A kernel of which some blocks wait, and later ones that would fit.
void head_of_line(Draft& draft, const Device& device, Rng& rng) {
  const int open = uniform(rng, 1, 2);
  const int plugged = plug(draft, device, rng, Plug::everything, open);
  Kernel head = bulky(device, rng);
  head.blocks = open + uniform(rng, 0, 1);
  decorate(head, rng);
  draft.launch(head);
  const int later = uniform(rng, 1, 3);
  for (int i = 0; i < later; ++i) {
    const int blocks = uniform(rng, 1, 2);
    Kernel kernel = chance(rng, 70) ? small_block(rng, blocks) : bulky(device, rng);
    decorate(kernel, rng);
    draft.launch(kernel);
  }
  release_one_by_one(draft, plugged, uniform(rng, 1, 2), rng);
}

// Nothing fits; several kernels of different priority wait. Each release lets
// one block go: whose?
void priorities(Draft& draft, const Device& device, Rng& rng) {
  const int plugged = plug(draft, device, rng, Plug::everything, 0);
  const int waiting = uniform(rng, 2, 4);
  for (int i = 0; i < waiting; ++i) {
    Kernel kernel = bulky(device, rng);
    decorate(kernel, rng);
    draft.launch(kernel);
  }
  release_one_by_one(draft, plugged, uniform(rng, 1, 3), rng);
}

// A kernel waits for the earlier one of its stream to be complete, and holds
// up nobody else meanwhile.
void streams(Draft& draft, const Device& device, Rng& rng) {
  std::vector<int> launched;
  const int count = uniform(rng, 3, 5);
  for (int i = 0; i < count; ++i) {
    const int blocks = uniform(rng, 1, std::min(device.sms, 6));
    Kernel kernel = small_block(rng, blocks);
    if (chance(rng, 70)) kernel.stream = "a";
    if (chance(rng, 30)) kernel.priority = -uniform(rng, 0, 2);
    launched.push_back(draft.launch(kernel));
  }
  draft.release({launched[0]});
  if (chance(rng, 50)) draft.release({launched[1]});
}

// One kernel more than can be resident. Long, so seldom drawn.
void many_kernels(Draft& draft, const Device& device, Rng& rng) {
  const int count = device.max_resident_kernels + uniform(rng, 1, 2);
  for (int i = 0; i < count; ++i) draft.launch(small_block(rng, 1));
  draft.release({uniform(rng, 0, device.max_resident_kernels - 1)});
}

}  // namespace

/// Which launched kernel gets the next block: the order of the queue, whether a
/// stuck head blocks it, streams, priorities, the number of resident kernels.
void draw_queueing(Draft& draft, const Device& device, Rng& rng) {
  const int kind = uniform(rng, 0, 99);
  if (kind < 45) {
    head_of_line(draft, device, rng);
  } else if (kind < 80) {
    priorities(draft, device, rng);
  } else if (kind < 98) {
    streams(draft, device, rng);
  } else {
    many_kernels(draft, device, rng);
  }
}

}  // namespace cuvier
