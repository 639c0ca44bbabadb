#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

/// More blocks for each SM that is open take long to predict.
constexpr int most_blocks_per_sm = 48;

Kernel any_block(const Device& device, Rng& rng) {
  const Scarce scarce =
      pick(rng, {Scarce::slots, Scarce::warps, Scarce::registers, Scarce::shared});
  const int fit = uniform(rng, 1, chance(rng, 50) ? 4 : device.max_blocks_per_sm);
  Kernel kernel = filling_block(device, scarce, fit);
  if (chance(rng, 20)) kernel.registers += 8 * uniform(rng, 1, 8);
  if (chance(rng, 20)) kernel.local = local_of_level(uniform(rng, 1, highest_local_level));
  if (chance(rng, 30)) kernel.priority = -uniform(rng, 1, 2);
  if (chance(rng, 30)) kernel.stream = "a";
  return to_legal(kernel, device);
}

}  // namespace

/// A grid of more blocks than there is capacity for, on all of the device or on the few SMs that
/// are open: it fills what there is, and then goes on as blocks end, singly at first and then by
/// waves, up to sixteen of them.
void draw_waves(Draft& draft, const Device& device, Rng& rng) {
  const bool plugged = chance(rng, 60);
  const int open =
      plugged ? plug_all_but_few(draft, device, rng, std::min(device.sms, 3)) : device.sms;
  Kernel grid = any_block(device, rng);
  const int fit = std::max(nominal_fit(grid, device), 1);
  const int waves = std::clamp(most_blocks_per_sm / fit, 1, pick(rng, {1, 2, 2, 4, 16, 16}));
  const int wave = open * fit;
  grid.blocks = wave * waves + uniform(rng, 1, std::max(wave / 2, 2));
  const int first = draft.launch(grid);
  const auto launch_some = [&] { draft.launch(small_block(rng, uniform(rng, 1, 4))); };
  if (chance(rng, 40)) launch_some();

  int started = wave;
  std::vector<int> resident = choose_some(rng, wave, wave);
  const auto end_some = [&](int count) {
    Release there{first, std::move(resident)};
    draft.release_blocks({take_some(there, count, rng)});
    resident = std::move(there.blocks);
    for (; count > 0 && started < grid.blocks; --count) resident.push_back(started++);
  };
  const int singles = uniform(rng, 1, 4);
  for (int i = 0; i < singles && !resident.empty(); ++i) end_some(1);
  const int rest = uniform(rng, 1, waves + 1);
  for (int i = 0; i < rest && !resident.empty(); ++i) {
    const int count = static_cast<int>(resident.size());
    end_some(chance(rng, 60) ? count : uniform(rng, 1, count));
    if (chance(rng, 10)) launch_some();
  }
}

}  // namespace cuvier
