#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

Kernel limited_by_warps(Rng& rng) {
  Kernel kernel;
  kernel.threads = 32 * uniform(rng, 1, 32);
  kernel.threads -= pick(rng, {0, 0, 0, 1, 31});
  kernel.registers = pick(rng, {16, 24, 32});
  return kernel;
}

Kernel limited_by_registers(const Device& device, Rng& rng) {
  Kernel kernel;
  kernel.threads = 32 * uniform(rng, 1, 12);
  const int warps = uniform(rng, 2, device.warps_per_subpartition());
  kernel.registers = registers_for(warps, device) + pick(rng, {-16, -8, -7, -1, 0, 0, 1, 8});
  return kernel;
}

Kernel limited_by_shared(const Device& device, Rng& rng) {
  Kernel kernel{.threads = 32 * uniform(rng, 1, 4), .registers = pick(rng, {16, 32, 64})};
  const int parts = uniform(rng, 1, 9);
  kernel.shared = shared_edge(device.largest_config(), parts, rng);
  return kernel;
}

}  // namespace

/// One shape of block up to the limit and about it: how many an SM takes. A
/// smaller kernel behind it shows what was left.
void draw_uniform_filling(Draft& draft, const Device& device, Rng& rng) {
  const int limit = uniform(rng, 0, 2);
  Kernel kernel = limit == 0   ? limited_by_warps(rng)
                  : limit == 1 ? limited_by_registers(device, rng)
                               : limited_by_shared(device, rng);
  kernel = to_legal(kernel, device);
  const int fit = std::max(nominal_fit(kernel, device), 1);
  // Only large blocks can fill the whole device with few of them.
  const bool plugged = fit > 3 || chance(rng, 50);
  const int open = plugged ? plug_all_but_few(draft, device, rng, 3) : device.sms;
  const int total = fit * open + pick(rng, {-2, -1, 0, 0, 1, 2});
  const int parts = std::min(uniform(rng, 1, 3), std::max(total, 1));
  for (int part = 0; part < parts; ++part) {
    kernel.blocks = total / parts + (part < total % parts ? 1 : 0);
    draft.launch(kernel);
  }
  const int blocks = uniform(rng, 1, open);
  Kernel reader = kernel;
  reader.blocks = blocks;
  reader.threads = 32 * uniform(rng, 1, std::min(kernel.warps(), 7));
  if (chance(rng, 50)) reader.shared = 0;
  if (chance(rng, 30)) reader.registers = kFewestRegisters;
  draft.launch(reader);
}

}  // namespace cuvier
