#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

Kernel carver_of_any_width(const Device& device, Rng& rng) {
  Kernel kernel = carver(device, rng);
  if (chance(rng, 25)) kernel.threads = 32 * uniform(rng, 17, 32);
  return kernel;
}

}  // namespace

/// A kernel configures all SMs, which then become idle by and by, in any order. Blocks that prefer
/// other configurations show what each TPC then has.
void draw_reconfiguring(Draft& draft, const Device& device, Rng& rng) {
  const auto launch = [&](Kernel kernel, int blocks) {
    kernel.blocks = blocks;
    return draft.launch(kernel);
  };
  Kernel filling = carver_of_any_width(device, rng);
  const Kernel other = carver_of_any_width(device, rng);
  // Most begin with what asks for more: what stays too large shows more than what stays too small.
  if (other.shared > filling.shared || chance(rng, 20)) filling = other;
  const int filled = launch(filling, device.sms);
  Release there{filled, choose_some(rng, device.sms, device.sms)};
  for (int rounds = uniform(rng, 2, 4); rounds > 0; --rounds) {
    const int left = static_cast<int>(there.blocks.size());
    const int leave = rounds > 1 ? left / 2 : left - std::min(left, pick(rng, {0, 1, 4}));
    if (leave > 0) draft.release_blocks({take_some(there, leave, rng)});
    if (rounds > 1 && chance(rng, 70)) continue;
    launch(carver_of_any_width(device, rng), uniform(rng, 1, device.sms));
    launch(chance(rng, 50) ? filling : carver_of_any_width(device, rng), device.sms);
  }
}

}  // namespace cuvier
