#include "probes/families/families.h"

namespace cuvier {

/// Kernels that follow each other in a stream as the iterations of a loop do: one or two shapes by
/// turns, of the same grid most of them, of large blocks and small ones. They wait for each other,
/// and beside what stays of another stream.
void draw_iterations(Draft& draft, const Device& device, Rng& rng) {
  const bool plugged = chance(rng, 30);
  if (plugged) plug_all_but_few(draft, device, rng, std::min(device.sms, 4));
  const int most = plugged ? 8 : device.sms + 2;
  const auto shape = [&] {
    Kernel kernel = chance(rng, 40) ? carver(device, rng) : moderate_block(device, rng);
    kernel.blocks = uniform(rng, 2, chance(rng, 50) ? std::min(most, 12) : most);
    const int most_registers = device.max_registers_per_thread;
    if (chance(rng, 40)) kernel.registers = uniform(rng, most_registers / 4, most_registers);
    if (chance(rng, 20)) kernel.local = local_of_level(uniform(rng, 1, highest_local_level));
    kernel.stream = "a";
    return kernel;
  };
  if (chance(rng, 50)) draft.launch(one_sided(device, rng));
  const Kernel one = shape();
  const Kernel other = chance(rng, 50) ? one : shape();
  int last = -1;
  for (int turn = uniform(rng, 3, 6); turn > 0; --turn) {
    Kernel next = turn % 2 == 0 ? one : other;
    if (chance(rng, 20)) next.blocks = uniform(rng, 1, most);
    const bool ended = last >= 0 && chance(rng, 40);
    if (ended) draft.release({last});
    const int index = draft.launch(next);
    if (last >= 0 && !ended && chance(rng, 80)) draft.release({last});
    if (chance(rng, 20)) draft.launch(small_block(rng, uniform(rng, 1, 4)));
    last = index;
  }
}

}  // namespace cuvier
