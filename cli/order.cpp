
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "probes/json_fields.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

struct OrderArguments {
  std::string kernels;
  PredictionArguments prediction;
  bool json = false;
};

int tell_order(const OrderArguments& arguments, Terminal& terminal) {
  const Model model = model_of(arguments.prediction);
  const Workload workload = launches_from_json(
      parse_json(read_file(arguments.kernels), arguments.kernels), model.device, arguments.kernels);
  const LaunchOrders orders =
      launch_orders(model.device, model.hypothesis, workload, {}, terminal.task());
  terminal.tell(arguments.json, launch_orders_json(orders, model, workload),
                launch_orders_page(orders, model, workload));
  return orders.left_to_chance || orders.best.unfinished > 0 ? exit_undecided : exit_done;
}

void declare_order(Options& options, OrderArguments& arguments) {
  options.add("KERNELS.json", arguments.kernels, "The kernels, each with \"block_ms\"");
  add_prediction_options(options, arguments.prediction);
  options.json(arguments.json);
  options.progress();
}

}  // namespace

Command order_command() {
  return {
      "order",
      "The launch order that finishes soonest",
      R"(All kernels are launched on the idle device, one right after the other; kernels of one
stream keep their order. Each is as in a probe (cuvier predict --help), with how long each
of its blocks runs; "contention" may be said as for cuvier simulate:
  {"kernels": {"a": {"blocks": 96, "threads": 256, "registers": 32, "block_ms": 12},
               "b": {"blocks": 20, "threads": 64, "registers": 32, "local": 64, "block_ms": 5}}}

Up to 40,320 orders (8 kernels that all differ) are all simulated: "best". Where there are
more, two kernels are swapped as long as that helps, beginning with the better of the order
given and the one that is recommended ("heuristic"): larger local memory first,
then larger shared-memory configurations (docs/howto/order.md).)",
      "  cuvier order kernels.json --device rtx3090",
      {{exit_done, "an order was found"},
       {exit_ambiguous, "Ctrl-C"},
       {exit_undecided,
        "the model leaves placements to chance, or no order was found in which all kernels end"}},
      with(declare_order, tell_order)};
}

}  // namespace cuvier
