#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "uses/simulate/simulation.h"

namespace cuvier {

/// A workload under one policy, so called.
struct SimulatedPolicy {
  std::string name;
  Outcome outcome;
};

/// A table of policies; they ran the workload on the device.
std::string outcomes_text(const std::vector<SimulatedPolicy>& policies, const Workload& workload,
                          const Device& device);

/// [{"policy":NAME,"antt":...,"unfinished":...,"utilisation":...,"makespan_ms":...,
/// "blocks_per_ms":...,"most_blocks":...,"over_time":{...},"kernels":{NAME:{...}}},...]:
/// docs/simulate.md.
nlohmann::ordered_json outcomes_json(const std::vector<SimulatedPolicy>& policies,
                                     const Workload& workload, const Device& device);

}  // namespace cuvier
