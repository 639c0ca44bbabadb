#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// Fills the few SMs that are open, and then some of what is there leaves, in any order, and others
/// take the places: whatever stands in a row, in a ring or on a stack comes to its end.
void draw_turnover(Draft& draft, const Device& device, Rng& rng) {
  const int open = plug_all_but_few(draft, device, rng, std::min(device.sms, 2));
  const bool by_slots = chance(rng, 60);
  const int most_warps = device.max_warps_per_sm / device.max_blocks_per_sm;
  std::vector<Release> resident;  // all blocks that there may be
  const auto launch = [&](Kernel kernel) {
    const int index = draft.launch(kernel);
    resident.push_back({index, choose_some(rng, kernel.blocks, kernel.blocks)});
  };
  const auto block = [&] {
    const int most = by_slots ? most_warps : device.max_warps_per_sm / 4;
    return Kernel{.threads = 32 * uniform(rng, 1, std::max(most, 1)),
                  .registers = kFewestRegisters};
  };
  Kernel first = block();
  const int fit = std::min(device.max_blocks_per_sm, device.max_warps_per_sm / first.warps());
  first.blocks = std::max(1, open * fit - uniform(rng, 0, 2));
  launch(first);
  const int rounds = chance(rng, 30) ? uniform(rng, 10, 20) : uniform(rng, 2, 5);
  for (int round = 0; round < rounds; ++round) {
    int leave = uniform(rng, 1, 3 * open);
    const int come = leave + uniform(rng, -1, 1);
    std::vector<Release> leaving;
    for (Release& each : resident) {
      Release some{each.kernel, {}};
      while (leave > 0 && !each.blocks.empty() && (&each == &resident.back() || chance(rng, 70))) {
        const auto which = each.blocks.begin() + uniform(rng, 0, std::ssize(each.blocks) - 1);
        some.blocks.push_back(*which);
        each.blocks.erase(which);
        --leave;
      }
      std::ranges::sort(some.blocks);
      if (!some.blocks.empty()) leaving.push_back(std::move(some));
    }
    draft.release_blocks(leaving);
    Kernel next = block();
    next.blocks = std::max(1, come);
    next.priority = pick(rng, {0, 0, 0, -1, -2, -3, -5});
    launch(next);
  }
}

}  // namespace cuvier
