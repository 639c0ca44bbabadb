#pragma once

#include "hypotheses/scheduler/kernel_state.h"
#include "hypotheses/scheduler/selector.h"

namespace cuvier {

/// What of the scheduler outlives a probe, beside the warp pointers.
struct Carry {
  Cursors cursors;
  LocalMemory::Setting local_memory;

  bool operator==(const Carry&) const = default;
};

}  // namespace cuvier
