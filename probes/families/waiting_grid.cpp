#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// A few warps, a subpartition taking `per_subpartition` such.
Kernel wide_block(const Device& device, int per_subpartition, Rng& rng) {
  return {.threads = 32 * pick(rng, {1, 1, 1, 2, 2, 3, 4}),
          .registers = registers_for(per_subpartition, device)};
}

/// About as many blocks as the margins are.
int about_a_margin(Rng& rng) { return uniform(rng, 0, 10); }

/// The device is full, and each release empties a few SMs, which often take an odd number of
/// blocks each: a pick of two then begins with an odd block, and puts the next one where it would
/// not have gone alone.
void let_in(Draft& draft, const Device& device, Rng& rng) {
  const int plugged = plug(draft, device, rng, Plug::everything, 0);
  Kernel grid;
  const int each = pick(rng, {2, 3, 3, 3, 4, 5, 5, 7});
  grid.threads = 32 * device.subpartitions;
  grid.registers = registers_for(each, device);
  const int first = uniform(rng, 1, std::min(3, device.sms));
  grid.blocks = 2 * device.sms + about_a_margin(rng);
  if (chance(rng, 75)) grid.blocks += each * first;  // until the second release
  const int waiting = draft.launch(grid);
  const int releases = uniform(rng, 2, 3);
  int released = first;
  for (int i = 0; i < releases; ++i) {
    std::vector<Release> all{{plugged, choose_some(rng, released, device.sms)}};
    if (chance(rng, 30)) {
      const int there = std::min(draft.kernel(waiting).blocks, each * first);
      all.push_back({waiting, choose_some(rng, 2, there)});
    }
    draft.release_blocks(all);
    released = uniform(rng, std::min(2, device.sms), std::min(3, device.sms));
  }
}

/// On the SM that is open subpartitions are unevenly full, and a kernel waits ahead of the grid
/// that fits only after one of its blocks moved the warp pointer: before a second one, or behind.
void overtake(Draft& draft, const Device& device, Rng& rng) {
  plug(draft, device, rng, Plug::everything, 1);
  const int loads = uniform(rng, 2, 8);
  std::vector<int> loaded;
  for (int i = 0; i < loads; ++i) {
    Kernel load = wide_block(device, pick(rng, {2, 3, 4, 4}), rng);
    load.blocks = 1;
    loaded.push_back(draft.launch(load));
  }
  const int thinned = uniform(rng, 0, 2);
  for (int i = 0; i < thinned; ++i) draft.release({pick_from(rng, loaded)});
  const int ahead = uniform(rng, 1, 2);
  for (int i = 0; i < ahead; ++i) {
    Kernel kernel = wide_block(device, pick(rng, {2, 2, 3}), rng);
    kernel.blocks = uniform(rng, 1, 2);
    draft.launch(kernel);
  }
  Kernel grid = wide_block(device, uniform(rng, 3, 8), rng);
  grid.blocks = 2 * device.sms + about_a_margin(rng);
  draft.launch(grid);
  const int later = uniform(rng, 0, 3);
  for (int i = 0; i < later; ++i) draft.release({pick_from(rng, loaded)});
}

}  // namespace

/// A grid of more than two blocks per SM that waits, and goes on as it is let. Where a pick that
/// would place two may come to an odd block, or before what waits ahead, pairs part that stay
/// together otherwise; when they stop parting gives the margin and the lag.
void draw_waiting_grid(Draft& draft, const Device& device, Rng& rng) {
  if (chance(rng, 40)) {
    let_in(draft, device, rng);
  } else {
    overtake(draft, device, rng);
  }
}

}  // namespace cuvier
