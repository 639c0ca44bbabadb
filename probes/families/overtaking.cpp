#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// On the few SMs that are open a kernel waits of which some blocks are resident, and others pass
/// it as room is made for one: so blocks of the same kernels come by turns, on top of each other.
void draw_overtaking(Draft& draft, const Device& device, Rng& rng) {
  const int open = plug_all_but_few(draft, device, rng, std::min(device.sms, 2));
  const int quarter = std::max(device.max_warps_per_sm / 4, 1);
  const int quarters = uniform(rng, 1, 3);
  Kernel base{.blocks = open, .registers = kFewestRegisters};
  base.threads = 32 * std::min(quarter * quarters, device.max_threads_per_block / 32);
  base.shared = device.largest_config() / 4;  // the others prefer no more
  std::vector<int> resident{draft.launch(base)};
  const int in_a_quarter = chance(rng, 40) ? quarter : uniform(rng, 1, 4);
  Kernel waiting{.registers = kFewestRegisters};
  waiting.threads = 32 * std::max(quarter / in_a_quarter, 1);
  const int fit = device.max_warps_per_sm / std::max(quarter / in_a_quarter, 1);
  waiting.blocks = open * std::min(fit, device.max_blocks_per_sm) + uniform(rng, 1, 4);
  resident.push_back(draft.launch(waiting));
  const int rounds = uniform(rng, 2, 4);
  for (int i = 0; i < rounds; ++i) {
    Kernel passing = small_block(rng, uniform(rng, 1, 2));
    passing.threads = 32 * uniform(rng, 1, quarter);
    passing.priority = -uniform(rng, 1, 3);
    draft.launch(passing);
    const int from = i == 0 && chance(rng, 60) ? resident.front() : pick_from(rng, resident);
    const int there = std::min(draft.kernel(from).blocks, open * 4);
    const int blocks = uniform(rng, 1, std::min(there, 2));
    draft.release_blocks({{from, choose_some(rng, blocks, there)}});
  }
}

}  // namespace cuvier
