#include <algorithm>
#include <iterator>

#include "probes/families/families.h"

namespace cuvier {

namespace {

// Around a multiple of the finest unit: rounding up to a coarser one costs a warp.
Kernel by_registers(Rng& rng) {
  Kernel kernel;
  kernel.threads = 32 * uniform(rng, 1, 12);
  const int step = pick(rng, {8, 8, 16, 32});
  kernel.registers = step * uniform(rng, 1, 256 / step);
  kernel.registers += pick(rng, {-1, 0, 1});
  return kernel;
}

// So many blocks as just fill the largest configuration with one reserve, and
// are one too many with another.
Kernel by_shared(const Device& device, Rng& rng) {
  Kernel kernel{.threads = 32 * uniform(rng, 1, 2), .registers = pick(rng, {16, 24, 32})};
  const int parts = uniform(rng, 1, device.max_blocks_per_sm);
  kernel.shared = shared_edge(device.largest_config(), parts, rng);
  return kernel;
}

void just_as_many(Draft& draft, const Device& device, Rng& rng) {
  const bool registers = chance(rng, 70);
  Kernel kernel = to_legal(registers ? by_registers(rng) : by_shared(device, rng), device);
  const int fit = std::max(nominal_fit(kernel, device), 1);
  const bool plugged = fit > 3 || chance(rng, 60);
  const int open = plugged ? plug_all_but_few(draft, device, rng, 2) : device.sms;
  kernel.blocks = fit * open + pick(rng, {-1, 0, 0, 0, 1, 1});
  draft.launch(kernel);
  if (chance(rng, 50)) {
    // What is left, in a second shape.
    Kernel reader = to_legal(registers ? by_registers(rng) : by_shared(device, rng), device);
    reader.blocks = uniform(rng, 1, open);
    draft.launch(reader);
  }
}

// A block just above a multiple of 1024 bytes on each open SM, then blocks that
// ask for what it leaves, to the byte: first with the coarsest unit, then with
// ever finer ones. How many of them start tells the unit, whether any does, the
// reserve. The first take more than half of the memory: there is one on each SM.
void all_the_rest(Draft& draft, const Device& device, Rng& rng) {
  constexpr int units[] = {1024, 512, 256, 128};
  const int open = std::min<int>(std::size(units), device.sms);
  plug(draft, device, rng, Plug::everything, open);
  const int reserve = pick(rng, {0, 1024, 1024, 2048});
  const int config = device.largest_config();
  Kernel kernel = narrow_block(open);
  kernel.shared = 1024 * uniform(rng, config / 2048, config / 1024 * 3 / 4) + 128;
  const int first = kernel.shared;
  draft.launch(kernel);
  kernel.blocks = 1;
  for (int unit : units) {
    const int taken = (first + unit - 1) / unit * unit + reserve;
    kernel.shared = config - taken - reserve;
    if (chance(rng, 85)) draft.launch(kernel);
  }
}

}  // namespace

/// The units in which registers and shared memory are allocated, and what the
/// runtime reserves: as many blocks as just fit, one more, one less.
void draw_granularity(Draft& draft, const Device& device, Rng& rng) {
  if (chance(rng, 60)) {
    just_as_many(draft, device, rng);
  } else {
    all_the_rest(draft, device, rng);
  }
}

}  // namespace cuvier
