#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// SMs whose subpartitions are unevenly full, with pointers that stand
/// differently: the ways to count how many more blocks fit (in warps or blocks,
/// by the fullest subpartition or all together) rank them differently.
void draw_room(Draft& draft, const Device& device, Rng& rng) {
  const int per_subpartition = pick(rng, {2, 3, 3, 4, 5, 6, 8});
  Kernel kernel;
  if (chance(rng, 20)) {
    take_slots(draft, device, per_subpartition, device.sms);
    kernel.registers = kFewestRegisters;
  } else {
    kernel.registers = registers_for(per_subpartition, device);
  }
  const int first = draft.kernels();
  const int loads = uniform(rng, 1, 4);
  for (int i = 0; i < loads; ++i) {
    kernel.threads = 32 * pick(rng, {1, 1, 2, 2, 3, 4, 5, 6});
    const int part = pick(rng, {1, 2, 2, 3, 4});
    kernel.blocks = device.sms / part + uniform(rng, -1, 1);
    draft.launch(kernel);
  }
  // The pointer stays where the released blocks left it.
  std::vector<Release> releases;
  for (int i = 0; i < loads - 1; ++i) {
    const int kind = uniform(rng, 0, 3);
    const int blocks = draft.kernel(first + i).blocks;
    if (kind == 0) releases.push_back({first + i, {}});
    if (kind == 1) releases.push_back({first + i, choose_some(rng, 5, blocks)});
    if (kind == 2)
      releases.push_back({first + i, choose_some(rng, std::max(blocks / 2, 1), blocks)});
  }
  if (chance(rng, 70)) draft.release_blocks(releases);
  const int readers = uniform(rng, 1, 3);
  for (int i = 0; i < readers; ++i) {
    kernel.threads = 32 * pick(rng, {1, 1, 1, 2, 2, 3, 4, 5});
    if (chance(rng, 30)) kernel.registers = 8 * uniform(rng, 2, 16);
    // A few blocks name the SMs that rank first; half a device, the rank of all.
    kernel.blocks = chance(rng, 60) ? uniform(rng, 1, 6) : device.sms / 2;
    draft.launch(kernel);
  }
}

}  // namespace cuvier
