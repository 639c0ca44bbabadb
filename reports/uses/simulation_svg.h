#pragma once

#include <string>
#include <vector>

#include "reports/uses/simulation_report.h"

namespace cuvier {

/// What is resident over time under each policy, as a picture that needs nothing else and is
/// readable on light and dark: above the share of warp slots in use, below the blocks.
std::string simulation_svg(const std::vector<SimulatedPolicy>& policies, const Device& device);

}  // namespace cuvier
