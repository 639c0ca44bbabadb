#pragma once

#include "reports/outcome_report.h"
#include "reports/pages/page.h"

namespace cuvier {

/// What became of a workload under each policy.
Page simulation_page(const std::vector<SimulatedPolicy>& policies, const Workload& workload,
                     const Device& device);

}  // namespace cuvier
