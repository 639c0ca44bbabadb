#pragma once

#include <nlohmann/json_fwd.hpp>

#include "probes/gpu/run_probe.h"

namespace cuvier::gpu {

/// Of many measured times.
struct Quantiles {
  std::chrono::microseconds p50{0};
  std::chrono::microseconds p99{0};
  std::chrono::microseconds max{0};
};

/// Of nothing measured: all 0.
Quantiles quantiles_of(std::vector<Clock::duration> times);

/// How quick this machine is: grids that fit, launched one after another and let go.
struct RoundTrips {
  int measured = 0;
  Quantiles launch;  ///< until the driver had taken it
  Quantiles start;   ///< from then until the host had seen every block start
  Quantiles leave;   ///< from the opening of the gates until every block said that it leaves
  bool fits = true;  ///< false: a grid did not start, and no more were tried
};

/// Of one block an SM, so many at a session's start: enough for a quantile, and soon done.
inline constexpr int settling_grids = 100;

/// Grids of so many of the smallest blocks. The device must be warm and idle.
RoundTrips measure_round_trips(RunnerDevice& device, int blocks, int count);

/// How long settling waits for a next start: what starts usually take, many times over, and
/// never less or more than what is known to be sensible.
std::chrono::microseconds quiet_after(const RoundTrips& trips);

/// {"p50":…,"p99":…,"max":…}, microseconds.
nlohmann::ordered_json to_json(const Quantiles& quantiles);
nlohmann::ordered_json to_json(const RoundTrips& trips);

}  // namespace cuvier::gpu
