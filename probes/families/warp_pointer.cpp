#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

// What is resident on the open SMs, one block of each kernel on each.
struct Residents {
  std::vector<int> kernels;
  int warps = 0;

  void add(int kernel, const Draft& draft) {
    kernels.push_back(kernel);
    warps += draft.kernel(kernel).warps();
  }

  void release_some(Draft& draft, Rng& rng) {
    const int which = uniform(rng, 0, static_cast<int>(kernels.size()) - 1);
    warps -= draft.kernel(kernels[which]).warps();
    draft.release({kernels[which]});
    kernels.erase(kernels.begin() + which);
  }

  void release_all(Draft& draft) {
    draft.release(kernels);
    kernels.clear();
    warps = 0;
  }
};

// Any blocks, any releases between them.
void any_sequence(Draft& draft, Kernel kernel, int capacity, Residents& residents, Rng& rng) {
  const int count = uniform(rng, 2, 5);
  for (int i = 0; i < count; ++i) {
    const int warps = pick(rng, {1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 7});
    if (residents.warps + warps > capacity) continue;
    kernel.threads = 32 * warps;
    residents.add(draft.launch(kernel), draft);
    if (!chance(rng, 35)) continue;
    if (chance(rng, 20)) {
      residents.release_all(draft);  // the open SMs are idle, unless slots are taken
    } else {
      residents.release_some(draft, rng);
    }
  }
}

// A round of narrow blocks, some of them released, and as many anew: placements
// that look at how full the subpartitions are fill the gaps, others go on from
// the pointer and leave the SM uneven.
void gaps(Draft& draft, Kernel kernel, int capacity, Residents& residents, Rng& rng) {
  const int count = uniform(rng, 3, 4);
  for (int i = 0; i < count; ++i) {
    kernel.threads = 32 * pick(rng, {1, 1, 1, 1, 1, 2, 3});
    if (residents.warps + kernel.warps() > capacity) continue;
    residents.add(draft.launch(kernel), draft);
  }
  const int released = uniform(rng, 1, 2);
  for (int i = 0; i < released; ++i) residents.release_some(draft, rng);
  const int anew = uniform(rng, 0, 2);
  for (int i = 0; i < anew; ++i) {
    kernel.threads = 32 * pick(rng, {1, 1, 2});
    residents.add(draft.launch(kernel), draft);
  }
}

// An odd block, then a whole number of rounds: the SM is uneven, and whether the
// pointer skips after a whole round decides if the rest takes what is left.
void whole_rounds(Draft& draft, Kernel kernel, int per_subpartition, Residents& residents,
                  Rng& rng) {
  kernel.threads = 32 * uniform(rng, 1, 3);
  residents.add(draft.launch(kernel), draft);
  const int rounds = uniform(rng, 1, per_subpartition - 1);
  kernel.threads = 32 * 4 * rounds;
  residents.add(draft.launch(kernel), draft);
}

}  // namespace

/// With many registers per thread, or few warp slots left, a subpartition takes
/// only two to four warps: where the pointer stands then decides whether a
/// block of few warps fits. Releases make the subpartitions uneven, and one
/// that empties an SM, or the device, may return the pointer to its start. A
/// reader of more registers than the blocks before it also tells placements
/// apart that count the same warps. The paper's cases 2.1 and 2.2 are of this kind.
void draw_warp_pointer(Draft& draft, const Device& device, Rng& rng) {
  int open = device.sms;
  if (chance(rng, 75)) {
    open = uniform(rng, 1, 2);
    plug(draft, device, rng, chance(rng, 50) ? Plug::everything : Plug::registers, open);
  }
  const bool by_slots = chance(rng, 25);
  const int kind = uniform(rng, 0, 99);
  const bool with_gaps = kind < 30;
  const int per_subpartition =
      with_gaps ? pick(rng, {2, 3, 4, 4, 4}) : pick(rng, {2, 2, 2, 3, 3, 4});
  const int capacity = per_subpartition * device.subpartitions;
  if (by_slots) take_slots(draft, device, per_subpartition, open);
  Kernel kernel{
      .blocks = open,
      .registers = by_slots ? kFewestRegisters
                            : registers_for(per_subpartition, device) - pick(rng, {0, 0, 1, 8})};
  Residents residents;
  if (with_gaps) {
    gaps(draft, kernel, capacity, residents, rng);
  } else if (kind < 55) {
    whole_rounds(draft, kernel, per_subpartition, residents, rng);
  } else {
    any_sequence(draft, kernel, capacity, residents, rng);
  }
  const int readers = uniform(rng, 1, 2);
  for (int i = 0; i < readers; ++i) {
    const int free = std::clamp(capacity - residents.warps, 1, 8);
    // The largest that could fit decides most; smaller ones leave room for a second.
    kernel.threads = 32 * (chance(rng, 40) ? free : uniform(rng, 1, free));
    if (!by_slots && per_subpartition > 2 && chance(rng, 50)) {
      // Of wider warps, an uneven SM takes one more or one less than an even one.
      kernel.registers = registers_for(uniform(rng, 2, per_subpartition - 1), device);
      kernel.threads = 32 * uniform(rng, 3, 6);
    }
    draft.launch(kernel);
  }
}

}  // namespace cuvier
