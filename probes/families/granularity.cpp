#include <algorithm>

#include "probes/families/draft.h"
#include "probes/families/families.h"

namespace cuvier {

namespace {

// Around a multiple of the finest unit: rounding up to a coarser one costs a warp.
Kernel by_registers(Rng& rng) {
  Kernel kernel;
  kernel.threads = 32 * uniform(rng, 1, 12);
  const int step = pick(rng, {8, 8, 16, 32});
  kernel.registers = step * uniform(rng, 1, 256 / step) + pick(rng, {-1, 0, 1});
  return kernel;
}

// So many blocks just fill the largest configuration with one granularity and
// reserve, and are one too many with another.
Kernel by_shared(const Device& device, Rng& rng) {
  Kernel kernel;
  kernel.threads = 32 * uniform(rng, 1, 2);
  kernel.registers = pick(rng, {16, 24, 32});
  const int most = std::min(device.max_blocks_per_sm, 32);
  const int parts = uniform(rng, 1, most);
  kernel.shared = shared_edge(device.largest_config(), parts, rng);
  return kernel;
}

}  // namespace

/// The units in which registers and shared memory are allocated, and what the
/// runtime reserves: as many blocks as just fit, one more, one less.
Probe draw_granularity(const Device& device, Rng& rng) {
  Draft draft("granularity", device);
  const bool registers = chance(rng, 45);
  Kernel kernel = to_legal(registers ? by_registers(rng) : by_shared(device, rng), device);
  const int fit = std::max(nominal_fit(kernel, device), 1);
  int open = device.sms;
  if (fit > 3 || chance(rng, 60)) {
    open = uniform(rng, 1, 2);
    plug(draft, device, rng, Plug::everything, open);
  }
  kernel.blocks = fit * open + pick(rng, {-1, 0, 0, 0, 1, 1});
  draft.launch(kernel);
  if (chance(rng, 50)) {
    // What is left, in a second shape.
    Kernel reader = to_legal(registers ? by_registers(rng) : by_shared(device, rng), device);
    reader.blocks = uniform(rng, 1, open);
    draft.launch(reader);
  }
  return draft.finish();
}

}  // namespace cuvier
