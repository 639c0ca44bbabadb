#pragma once

#include "hypotheses/axes/local_memory.h"
#include "hypotheses/scheduler/cursors.h"
#include "hypotheses/scheduler/rounds.h"

namespace cuvier {

/// What of the scheduler outlives a probe, beside what does on its SMs (SmsAtRest).
struct Carry {
  Cursors cursors;
  LocalMemory::Setting local_memory;
  Rounds::Cursors numbering = {};

  bool operator==(const Carry&) const = default;
};

}  // namespace cuvier
