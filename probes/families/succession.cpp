#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// Kernels of a few streams, as programs launch them, on all of the device or on what is open of
/// it. Each joins the queue when the one before it in its stream has ended, maybe behind others
/// that wait. They end at once or by and by, most in the order in which they came.
void draw_succession(Draft& draft, const Device& device, Rng& rng) {
  const bool plugged = chance(rng, 50);
  const int open =
      plugged ? plug_all_but_few(draft, device, rng, std::min(device.sms, 2)) : device.sms;
  std::vector<Release> running;  // what is left of each
  const auto end_some = [&] {
    const int last = static_cast<int>(running.size()) - 1;
    const auto ending = running.begin() + (chance(rng, 60) ? 0 : uniform(rng, 0, last));
    const int count = static_cast<int>(ending->blocks.size());
    if (count == 1 || chance(rng, 50)) {
      draft.release_blocks({*ending});
      running.erase(ending);
      return;
    }
    const int leave = chance(rng, 40) ? count - 1 : uniform(rng, 1, count - 1);
    draft.release_blocks({take_some(*ending, leave, rng)});
  };
  const int count = uniform(rng, 6, 9);
  for (int i = 0; i < count; ++i) {
    Kernel kernel = chance(rng, plugged ? 90 : 30) ? bulky(device, rng) : small_block(rng, 1);
    const int few = std::min(device.sms, uniform(rng, 2, 12));
    kernel.blocks = plugged           ? std::max(1, open + uniform(rng, -1, 1))
                    : chance(rng, 85) ? few
                                      : std::max(1, device.sms + uniform(rng, -2, 2));
    if (chance(rng, 85)) kernel.stream = std::string(1, "abc"[uniform(rng, 0, plugged ? 2 : 1)]);
    if (chance(rng, 20)) kernel.priority = -uniform(rng, 1, 2);
    if (chance(rng, 30)) kernel.local = local_of_level(uniform(rng, 1, 4));
    const int index = draft.launch(kernel);
    const int blocks = draft.kernel(index).blocks;
    running.push_back({index, choose_some(rng, blocks, blocks)});
    if (plugged && i < count - 3) continue;  // several wait before one ends
    if (chance(rng, 60)) end_some();
    if (running.empty()) continue;
    if (i > 1 && chance(rng, 50)) end_some();
  }
  while (running.size() > 1) end_some();
}

}  // namespace cuvier
