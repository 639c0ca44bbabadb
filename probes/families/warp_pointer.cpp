#include <algorithm>

#include "probes/families/draft.h"
#include "probes/families/families.h"

namespace cuvier {

namespace {

// Blocks of whole rounds of warps, until a subpartition has only `left` warp
// slots: what registers do below is then done by slots, even where the SM's
// registers are one pool.
void take_slots(Draft& draft, const Device& device, int left, int blocks) {
  Kernel kernel;
  kernel.blocks = blocks;
  kernel.registers = fewest_registers;
  for (int rounds = device.warps_per_subpartition() - left; rounds > 0;) {
    const int taken = std::min(rounds, device.max_threads_per_block / 32 / device.subpartitions);
    kernel.threads = 32 * device.subpartitions * taken;
    draft.launch(kernel);
    rounds -= taken;
  }
}

}  // namespace

/// With many registers per thread, or few warp slots left, a subpartition takes
/// only two to four warps: where the pointer stands then decides whether a
/// block of few warps fits. Releases make the subpartitions uneven, and one
/// that empties an SM, or the device, may return the pointer to its start. A
/// reader of more registers than the blocks before it also tells placements
/// apart that count the same warps. The paper's cases 2.1 and 2.2 are of this kind.
Probe draw_warp_pointer(const Device& device, Rng& rng) {
  Draft draft("warp_pointer", device);
  const int per_subpartition = pick(rng, {2, 2, 2, 3, 3, 4});
  const bool by_slots = chance(rng, 20);
  int open = device.sms;
  if (!by_slots && chance(rng, 65)) {
    open = uniform(rng, 1, 2);
    plug(draft, device, rng, chance(rng, 50) ? Plug::everything : Plug::registers, open);
  }
  if (by_slots) take_slots(draft, device, per_subpartition, device.sms);
  Kernel kernel;
  kernel.blocks = open;
  kernel.registers = by_slots ? fewest_registers
                              : registers_for(per_subpartition, device) - pick(rng, {0, 0, 1, 8});
  const int capacity = per_subpartition * device.subpartitions;
  const int count = uniform(rng, 2, open == device.sms ? 3 : 5);
  std::vector<int> resident;
  int held = 0;
  for (int i = 0; i < count; ++i) {
    const int warps = pick(rng, {1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7});
    if (held + warps > capacity) continue;
    kernel.threads = 32 * warps;
    resident.push_back(draft.launch(kernel));
    held += warps;
    if (!chance(rng, 40)) continue;
    if (chance(rng, 20)) {
      draft.release(resident);  // the open SMs are idle, unless slots are taken
      resident.clear();
      held = 0;
    } else {
      const int which = uniform(rng, 0, static_cast<int>(resident.size()) - 1);
      held -= draft.kernel(resident[which]).warps();
      draft.release({resident[which]});
      resident.erase(resident.begin() + which);
    }
  }
  const int readers = uniform(rng, 1, 2);
  for (int i = 0; i < readers; ++i) {
    const int free = std::clamp(capacity - held, 1, 8);
    // The largest that could fit decides most; smaller ones leave room for a second.
    kernel.threads = 32 * (chance(rng, 40) ? free : uniform(rng, 1, free));
    if (!by_slots && per_subpartition > 2 && chance(rng, 50)) {
      kernel.registers = registers_for(2, device);
    }
    draft.launch(kernel);
  }
  return draft.finish();
}

}  // namespace cuvier
