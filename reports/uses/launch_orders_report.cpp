#include <fmt/format.h>

#include <array>

#include "probes/mapped.h"
#include "reports/document/words.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

struct OrderRow {
  const char* name;
  LaunchOrder LaunchOrders::*order;
};
constexpr std::array rows = {
    OrderRow{"best", &LaunchOrders::best},
    OrderRow{"given", &LaunchOrders::given},
    OrderRow{"recommended", &LaunchOrders::recommended},
    OrderRow{"worst", &LaunchOrders::worst},
};

std::string reason(const LaunchOrders& orders) {
  if (orders.left_to_chance) return "the model leaves to chance where blocks of large grids go";
  if (orders.best.unfinished > 0) {
    return orders.all_seen ? "there is no order in which all kernels end"
                           : "no order was found in which all kernels end";
  }
  if (orders.all_seen) return "no order finishes sooner: all were simulated";
  return orders.no_swap_helps
             ? "there are too many orders to simulate all; from this one, no swap of two kernels "
               "finishes sooner"
             : "there are too many orders to simulate all; this is the best of those that were";
}

std::vector<std::string> names_of(const LaunchOrder& order, const Workload& workload) {
  return mapped(order.jobs, [&](int job) { return workload.jobs[job].kernel.name; });
}

/// "best" (every order was seen), "heuristic" or "undecided" (left to chance, or no order was found
/// in which all jobs end).
const char* verdict_name(const LaunchOrders& orders) {
  if (orders.left_to_chance || orders.best.unfinished > 0) return "undecided";
  return orders.all_seen ? "best" : "heuristic";
}

}  // namespace

Page launch_orders_page(const LaunchOrders& orders, const Model& model, const Workload& workload) {
  Page page;
  page.verdict = fmt::format("{}: {}", verdict_name(orders), reason(orders));
  page.about = fmt::format("{} simulated on {}, under {}, of {} that there are.",
                           counted(orders.simulated, "order was", "orders were"), model.device.name,
                           model_words(model), count_words(orders.count));
  Table table{"Orders", {"", "makespan", "order of launches"}};
  for (const OrderRow& row : rows) {
    const LaunchOrder& order = orders.*row.order;
    const bool is_of_few = row.order == &LaunchOrders::worst && !orders.all_seen;
    table.add({is_of_few ? "worst found" : row.name,
               order.unfinished == 0
                   ? fmt::format("{:.3f} ms", order.makespan_ms)
                   : fmt::format("{} of {} never end", order.unfinished, order.jobs.size()),
               fmt::format("{}", fmt::join(names_of(order, workload), ", "))});
  }
  page.add({"Orders", {std::move(table)}});
  return page;
}

nlohmann::ordered_json launch_orders_json(const LaunchOrders& orders, const Model& model,
                                          const Workload& workload) {
  Json json = {{"verdict", verdict_name(orders)}, {"reason", reason(orders)}};
  json.update(answered_by(model));
  json["orders"] = json_number(orders.count);
  json["orders_simulated"] = orders.simulated;
  for (const OrderRow& row : rows) {
    const LaunchOrder& order = orders.*row.order;
    json[row.name] = {{"order", names_of(order, workload)},
                      {"makespan_ms", order.makespan_ms},
                      {"unfinished", order.unfinished}};
  }
  return json;
}

}  // namespace cuvier
