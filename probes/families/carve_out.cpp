#include <algorithm>

#include "probes/families/families.h"

namespace cuvier {

namespace {

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
