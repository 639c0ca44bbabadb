#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/document/page.h"
#include "uses/fleet/fleet_folder.h"
#include "uses/fleet/fleet_summary.h"

namespace cuvier {

/// Which mechanisms and maps a fleet has, how many clusters fit on the worst of it, which GPUs are
/// odd, and what was not reached.
Page fleet_page(const FleetSummary& summary, const std::string& folder);

/// The same for programs, every GPU named.
nlohmann::ordered_json fleet_json(const FleetSummary& summary);

/// The file of the probe that tells two classes apart: "differences/1-2.json", if one does.
std::string difference_file(const ClassDifference& difference);

/// How far it has come. `waiting`: tasks that wait, by the reason.
Page fleet_status_page(const FleetStatus& status, const std::map<std::string, int>& waiting);
nlohmann::ordered_json fleet_status_json(const FleetStatus& status,
                                         const std::map<std::string, int>& waiting);

}  // namespace cuvier
