#pragma once

#include "reports/document/page.h"
#include "reports/model/model_evidence.h"
#include "uses/order/launch_orders.h"

namespace cuvier {

/// The best order, the given, the recommended and the worst, and what that rests on.
Page launch_orders_page(const LaunchOrders& orders, const Device& device, const Model& model,
                        const Workload& workload);

/// {"verdict":...,"reason":...,"best":{"order":[...],"makespan_ms":...,"unfinished":...},
/// "given":...,"recommended":...,"worst":...}: docs/howto/order.md.
nlohmann::ordered_json launch_orders_json(const LaunchOrders& orders, const Device& device,
                                          const Model& model, const Workload& workload);

}  // namespace cuvier
