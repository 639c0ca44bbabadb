#pragma once

#include "probes/gpu/run_probe.h"

namespace cuvier::gpu {

/// What a few full grids showed of this machine's delays, as the host sees them.
struct Settling {
  std::chrono::microseconds largest_gap{0};  ///< launch to first start, or start to start
  std::chrono::microseconds quiet{0};        ///< what settling waits for: the gap, many times
};

/// A full grid: as many of the smallest blocks as the device holds.
Probe full_grid(const Device& device);

/// Launches full grids and measures. The device must be warm.
Settling measure_settling(RunnerDevice& device);

}  // namespace cuvier::gpu
