#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/model_evidence.h"
#include "uses/order/launch_orders.h"

namespace cuvier {

/// "best" (every order was seen), "heuristic" or "undecided" (left to chance, or no order was found
/// in which all jobs end).
const char* verdict_name(const LaunchOrders& orders);

/// A table of the best order, the given, the recommended and the worst, below what it rests on.
std::string launch_orders_text(const LaunchOrders& orders, const Device& device, const Model& model,
                               const Workload& workload);

/// {"verdict":...,"reason":...,"best":{"order":[...],"makespan_ms":...,"unfinished":...},
/// "given":...,"recommended":...,"worst":...}: docs/order.md.
nlohmann::ordered_json launch_orders_json(const LaunchOrders& orders, const Device& device,
                                          const Model& model, const Workload& workload);

}  // namespace cuvier
