#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

/// Gives all SMs some blocks each, of which then all of some SMs leave at once and one of others,
/// while the rest stays: small kernels show whether it matters how an SM became empty, or when.
void draw_emptying(Draft& draft, const Device& device, Rng& rng) {
  const int layers = pick(rng, {2, 2, 3, 4, 8});
  Kernel filling = small_block(rng, device.sms * layers);
  if (chance(rng, 30)) filling.shared = some_shared(device, 16, rng);
  const int filled = draft.launch(filling);
  // Where SMs are filled in turn, the blocks of one have the same place in each round.
  std::vector<std::vector<int>> there(device.sms);
  for (int block = 0; block < filling.blocks; ++block) {
    there[block % device.sms].push_back(block);
  }
  for (int rounds = uniform(rng, 2, 3); rounds > 0; --rounds) {
    Release leaving{filled, {}};
    for (std::vector<int>& blocks : there) {
      const int way = uniform(rng, 0, 9);
      const std::size_t stay = way < 4 ? 0 : way < 6 ? blocks.size() / 2 : blocks.size();
      while (blocks.size() > stay) {
        leaving.blocks.push_back(blocks.back());
        blocks.pop_back();
      }
    }
    std::ranges::sort(leaving.blocks);
    if (!leaving.blocks.empty()) draft.release_blocks({leaving});
    draft.launch(small_block(rng, uniform(rng, 1, std::max(device.sms / 4, 1))));
  }
}

}  // namespace cuvier
