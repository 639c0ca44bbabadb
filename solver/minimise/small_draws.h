#pragma once

#include "probes/device.h"
#include "probes/family.h"
#include "solver/minimise/reductions.h"

namespace cuvier {

/// Small probes from scratch, where descent from a large one has come to its end. Device and
/// generator must outlive it.
class SmallDraws {
 public:
  SmallDraws(const Device& device, Rng& rng) : device_(device), rng_(rng) {}

  /// Demands of which a few blocks fill an SM, or nearly: that is where rules differ.
  Kernel any_demands();

  /// A probe of at most so many kernels and actions.
  Probe tiny(const ProbeSize& most);

  /// A kernel that fills the device, another one, and between or after them a release on two
  /// SMs. If the first waits for it, the other may overtake it. No kernels where none is found
  /// that fills it.
  Probe crowded();

 private:
  bool chance(int percent) { return uniform(rng_, 0, 99) < percent; }
  int few_blocks();
  int some_for_each_sm();
  int any_shared();
  int blocks_on_sm(const Kernel& kernel) const;
  Release any_release(const Probe& probe);

  const Device& device_;
  Rng& rng_;
};

}  // namespace cuvier
