#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

// A shape that takes `sixteenths` of what an SM has of the resources in question.
struct Piece {
  bool of_shared = false;
  bool of_registers = false;
  int capacity = 0;  ///< bytes of shared memory to divide

  Kernel kernel(int sixteenths, int blocks, const Device& device) const {
    Kernel kernel = narrow_block(blocks);
    if (of_registers) {
      kernel.threads *= device.subpartitions;
      const int lanes = device.registers_per_subpartition() / 32;
      kernel.registers = lanes * sixteenths / 16;
    }
    // The runtime may reserve as much, too.
    constexpr int reserved = 2048;
    if (of_shared) {
      kernel.shared = std::max(1024, capacity * sixteenths / 16 / 1024 * 1024 - reserved);
    }
    return kernel;
  }
};

// Small blocks that outlast large ones: a domain that is never idle keeps the
// large configuration for all that follows.
void keep_largest_config(Draft& draft, const Device& device, int blocks,
                         const std::vector<int>& released) {
  Kernel kernel = narrow_block(blocks);
  kernel.shared = device.max_shared_per_block - 5 * 1024;
  const int large = draft.launch(kernel);
  kernel.shared = 0;
  draft.launch(kernel);
  draft.release_blocks({{large, released}});
}

// Blocks of different sizes until an SM is full, every other one released, and
// requests for one hole, two together, a part of one.
void every_other(Draft& draft, const Device& device, Rng& rng, const Piece& piece, int open) {
  std::vector<int> sizes;
  std::vector<int> fillers;
  for (int left = 16; left > 1 && sizes.size() < 6;) {
    const int size = std::min(pick(rng, {1, 2, 2, 3, 3, 4, 5}), left);
    sizes.push_back(size);
    fillers.push_back(draft.launch(piece.kernel(size, open, device)));
    left -= size;
  }
  const int count = static_cast<int>(sizes.size());
  const int first = uniform(rng, 0, 1);
  const bool differently = open > 1 && chance(rng, 60);
  std::vector<Release> releases;
  std::vector<int> holes;
  for (int i = 0; i < count; ++i) {
    const bool even = i % 2 == first;
    if (even) holes.push_back(sizes[i]);
    // Different holes on the two SMs: their rooms differ, and so do the three
    // ways to count it.
    if (differently) {
      releases.push_back({fillers[i], {even ? 0 : 1}});
    } else if (even) {
      releases.push_back({fillers[i], {}});
    }
  }
  draft.release_blocks(releases);
  const int requests = uniform(rng, 2, 3);
  for (int i = 0; i < requests; ++i) {
    int size = pick_from(rng, holes);
    const int change = uniform(rng, 0, 3);
    if (change == 0) size += pick_from(rng, holes);
    if (change == 1) size = uniform(rng, 1, size);
    Kernel kernel = piece.kernel(size, uniform(rng, 1, open + 1), device);
    if (piece.of_shared) kernel.shared += pick(rng, {-128, 0, 0, 0, 1, 128});
    draft.launch(kernel);
  }
}

// A large hole below a small one. A block that fits both, then one that needs
// all of the large hole: it fits only if the first spared it.
void spare_the_large_hole(Draft& draft, const Device& device, Rng& rng, const Piece& piece,
                          int open) {
  const int large = uniform(rng, 3, 6);
  const int small = uniform(rng, 1, large - 1);
  const int wall = uniform(rng, 1, 3);
  const int below = draft.launch(piece.kernel(large, open, device));
  draft.launch(piece.kernel(wall, open, device));
  const int above = draft.launch(piece.kernel(small, open, device));
  draft.launch(piece.kernel(16 - large - small - wall, open, device));
  draft.release({below, above});
  draft.launch(piece.kernel(uniform(rng, 1, small), open, device));
  draft.launch(piece.kernel(large, open, device));
}

}  // namespace

/// Fills shared memory or registers with blocks of different sizes, opens holes
/// between them, and asks for blocks that need a hole of a certain size.
void draw_fragmentation(Draft& draft, const Device& device, Rng& rng) {
  Piece piece;
  const int resource = uniform(rng, 0, 4);
  piece.of_shared = resource != 0 && resource != 1;
  piece.of_registers = resource <= 2;
  const int config =
      chance(rng, 70) ? device.largest_config() : pick_from(rng, device.shared_configs);
  piece.capacity = std::max(config, 32 * 1024);
  // A selection whose cursor sticks to full SMs shows holes only where every SM has them; one
  // that fills an SM before it takes the next, on that one.
  enum { some, all, one } where = some;
  if (const int way = uniform(rng, 0, 9); way < 4) where = way < 2 ? all : one;
  const int open = where == all ? device.sms : where == one ? 1 : pick(rng, {1, 2, 2});
  if (piece.of_shared && !piece.of_registers && chance(rng, 40)) {
    const int blocks = where == one ? 1 : device.sms;
    keep_largest_config(draft, device, blocks, choose_some(rng, open, blocks));
  } else if (where == some) {
    plug(draft, device, rng, Plug::everything, open);
  }
  if (piece.of_shared && chance(rng, 40)) {
    spare_the_large_hole(draft, device, rng, piece, open);
  } else {
    every_other(draft, device, rng, piece, open);
  }
}

}  // namespace cuvier
