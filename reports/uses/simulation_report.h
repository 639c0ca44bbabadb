#pragma once

#include <string>
#include <vector>

#include "reports/document/page.h"
#include "uses/simulate/simulation.h"

namespace cuvier {

/// A workload under one policy, so called.
struct SimulatedPolicy {
  std::string name;
  Outcome outcome;
  std::string evidence{};  ///< for the policy on this device (evidence_for); empty: it has none
};

/// What became of a workload under each policy.
Page simulation_page(const std::vector<SimulatedPolicy>& policies, const Workload& workload,
                     const Device& device);

/// {"policy":NAME,"evidence":...,"antt":...,"unfinished":...,"utilisation":...,"makespan_ms":...,
/// "blocks_per_ms":...,"most_blocks":...,"over_time":{...},"kernels":{NAME:{...}}} for each:
/// docs/howto/simulate.md.
nlohmann::ordered_json outcomes_json(const std::vector<SimulatedPolicy>& policies,
                                     const Workload& workload, const Device& device);

}  // namespace cuvier
