#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "probes/probe.h"

namespace cuvier {

/// A kernel that arrives at some time, and whose blocks run for so long each if nothing slows them.
struct Job {
  Kernel kernel;
  double arrival_ms = 0;
  double block_ms = 1;
};

/// How much longer blocks run as the SM's warp slots fill: straight lines between these points.
struct Contention {
  std::vector<std::pair<double, double>> points;  ///< (share in use, what it adds: 0.5 is half)

  double added(double share) const;
};

/// Jobs by arrival.
struct Workload {
  std::vector<Job> jobs;
  Contention contention;
};

/// Reads {"kernels":{NAME:{...as in a probe..., "arrival_ms":T, "block_ms":D}},
/// "contention":[[SHARE,ADDED],...]}, the last optional. Throws Error: `where`, the field, what is
/// wrong, also where a kernel is not legal on the device.
Workload workload_from_json(const nlohmann::ordered_json& json, const Device& device,
                            const std::string& where);

}  // namespace cuvier
