#pragma once

#include <optional>

#include "probes/gpu/run_probe.h"

namespace cuvier::gpu {

/// As many of the smallest blocks as the device holds, which puts some on every SM whatever the
/// scheduler's policy; with the frame that the device was set up for, if it was.
Probe opening_probe(const RunnerDevice& device);

/// What a session begins with (docs/design/openings.md): pointers and cursors have
/// come from wherever earlier kernels left them to where this run is seen to leave them.
struct SeenOpening {
  Probe probe;
  Observation observation;
};

/// Nothing where part of the grid does not start however often it is tried, nor so much of it as
/// starts when it is launched alone, on every SM: something else holds part of the device. Says so
/// on standard error.
std::optional<SeenOpening> observe_opening(RunnerDevice& device, const Patience& patience);

}  // namespace cuvier::gpu
