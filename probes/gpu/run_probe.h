#pragma once

#include "probes/gpu/runner_device.h"
#include "probes/observation.h"

namespace cuvier::gpu {

struct Patience {
  std::chrono::microseconds quiet{1000};          ///< nothing starts for so long: nothing more will
  std::chrono::microseconds late{5000};           ///< the same for a kernel's first block
  std::chrono::microseconds must_start{100'000};  ///< for the first block on a device without any
  std::chrono::microseconds submit{100'000};      ///< for the driver to take a launch
  std::chrono::microseconds probe{4'000'000};     ///< for a whole probe
  std::chrono::microseconds drain{20'000'000};    ///< for the device to become idle afterwards
};

/// How long a block waits at its gate before it leaves by itself, which ends the probe, however
/// patient we are.
inline constexpr std::chrono::nanoseconds fail_safe = std::chrono::seconds{6};

/// Runs a probe once, on an idle device, and leaves the device idle. Every channel is
/// filled. Throws Failure, also where a block is seen in another step than that in which it
/// started; the device is idle then too, unless the code is device_lost.
Observation run_probe(RunnerDevice& device, const Probe& probe, const Patience& patience);

/// Opens every gate, and waits until the device is idle. Throws Failure that says `otherwise` where
/// it is not in time.
void drain(RunnerDevice& device, Clock::duration patience, const std::string& otherwise);

}  // namespace cuvier::gpu
