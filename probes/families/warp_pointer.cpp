#include <algorithm>

#include "probes/families/draft.h"
#include "probes/families/families.h"

namespace cuvier {

/// With many registers per thread a subpartition holds only two to four warps:
/// where the pointer stands then decides whether a block of few warps fits.
/// Releases leave the pointer where it is, or return it to its start when the
/// SM, or the whole device, is idle: with a plug on the other SMs, an idle SM
/// is not an idle device. The paper's cases 2.1 and 2.2 are of this kind.
Probe draw_warp_pointer(const Device& device, Rng& rng) {
  Draft draft("warp_pointer", device);
  int open = device.sms;
  if (chance(rng, 60)) {
    open = uniform(rng, 1, 2);
    plug(draft, device, rng, chance(rng, 50) ? Plug::everything : Plug::registers, open);
  }
  const bool whole_device = open == device.sms;
  const int per_subpartition = pick(rng, {2, 2, 2, 2, 3, 4});
  Kernel kernel;
  kernel.blocks = open;
  kernel.registers = registers_for(per_subpartition, device) - pick(rng, {0, 0, 1, 8});
  const int capacity = per_subpartition * device.subpartitions;
  const int count = uniform(rng, 2, whole_device ? 3 : 5);
  std::vector<int> resident;
  int held = 0;
  for (int i = 0; i < count; ++i) {
    const int warps = pick(rng, {1, 1, 2, 2, 3, 3, 4, 5, 6, 7});
    if (held + warps > capacity) continue;
    kernel.threads = 32 * warps;
    resident.push_back(draft.launch(kernel));
    held += warps;
    if (!chance(rng, 40)) continue;
    if (chance(rng, 35)) {
      draft.release(resident);  // the open SMs are idle
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
    kernel.threads = 32 * uniform(rng, 1, std::clamp(capacity - held, 1, 8));
    draft.launch(kernel);
  }
  return draft.finish();
}

}  // namespace cuvier
