#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

// A block whose preferred configuration lies near a supported one: how many of
// them an SM holds (by warps, by registers in several readings, or one) times
// what each takes.
Kernel carver(const Device& device, Rng& rng) {
  Kernel kernel{.blocks = 1,
                .threads = 32 * pick(rng, {1, 1, 2, 3, 4, 5, 6, 8, 12, 16}),
                .registers = chance(rng, 50) ? pick(rng, {16, 32, 64, 96, 128, 168, 255})
                                             : uniform(rng, 16, 255)};
  const int kind = uniform(rng, 0, 9);
  if (kind <= 1) return kernel;  // without dynamic shared memory the gate may differ
  if (kind == 2) {
    kernel.shared = uniform(rng, 1, 3072);
    return kernel;
  }
  const int config = pick_from(rng, device.shared_configs);
  const int parts = pick(rng, {1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16});
  kernel.shared = shared_edge(config, parts, rng);
  return kernel;
}

// A few blocks of each setter fix the configuration of a few domains; a reader
// of about one block per SM then goes only where it is accepted: to the same
// SM, its mate, or no SM of the device.
void some_domains(Draft& draft, const Device& device, Rng& rng) {
  std::vector<int> setters;
  const int count = uniform(rng, 1, 3);
  for (int i = 0; i < count; ++i) {
    Kernel setter = carver(device, rng);
    setter.blocks = chance(rng, 30) ? device.sms / 2 : uniform(rng, 1, 4);
    setters.push_back(draft.launch(setter));
  }
  // What becomes idle is configured anew, what has a neighbour is not.
  if (count > 1 && chance(rng, 30)) draft.release({pick_from(rng, setters)});
}

// Two open SMs, often mates: one block sets the configuration for the other SM or not.
void two_open(Draft& draft, const Device& device, Rng& rng) {
  const Plug what = chance(rng, 60) ? Plug::registers : Plug::everything;
  plug(draft, device, rng, what, 2);
  draft.launch(carver(device, rng));
}

}  // namespace

/// The preferred configuration (occupancy, rounding), the gate that compares it
/// with the one in force, and how far that one reaches.
void draw_carve_out(Draft& draft, const Device& device, Rng& rng) {
  const bool many = chance(rng, 75);
  if (many) {
    some_domains(draft, device, rng);
  } else {
    two_open(draft, device, rng);
  }
  const int readers = uniform(rng, 1, 2);
  for (int i = 0; i < readers; ++i) {
    Kernel reader = to_legal(carver(device, rng), device);
    // Only the last reader may leave blocks behind: it would hide the next.
    const bool last = i == readers - 1;
    const int most = !many                             ? 2
                     : last                            ? device.sms
                     : nominal_fit(reader, device) > 1 ? std::max(device.sms / 2, 1)
                                                       : 3;
    reader.blocks = chance(rng, 50) ? most : uniform(rng, 1, most);
    draft.launch(reader);
  }
}

}  // namespace cuvier
