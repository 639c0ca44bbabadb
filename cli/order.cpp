#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/hypothesis_argument.h"
#include "cli/shown.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "reports/uses/launch_orders_report.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string kernels;
  PredictionArguments prediction;
  bool json = false;
};

int find_order(const Arguments& arguments) {
  const Device device = find_device(arguments.prediction.device);
  const Model model = model_of(arguments.prediction, device);
  const Workload workload = launches_from_json(
      parse_json(read_file(arguments.kernels), arguments.kernels), device, arguments.kernels);
  const LaunchOrders orders = launch_orders(device, model.hypothesis, workload);
  if (arguments.json || !stdout_is_terminal()) {
    print(launch_orders_json(orders, device, model, workload).dump() + '\n');
  } else {
    print(shown(launch_orders_page(orders, device, model, workload)));
  }
  return orders.left_to_chance || orders.best.unfinished > 0 ? exit_undecided : exit_done;
}

}  // namespace

Run declare_order(CLI::App& app) {
  app.footer(
      "All kernels are launched on the idle device, one right after the other; kernels of one\n"
      "stream keep their order. Each is as in a probe (cuvier predict --help), with how long each\n"
      "of its blocks runs; \"contention\" may be said as for cuvier simulate:\n"
      R"(  {"kernels": {"a": {"blocks": 96, "threads": 256, "registers": 32, "block_ms": 12},
               "b": {"blocks": 20, "threads": 64, "registers": 32, "local": 64, "block_ms": 5}}})"
      "\n"
      "\n"
      "Up to 40,320 orders (8 kernels that all differ) are all simulated: \"best\". Where there "
      "are\n"
      "more, two kernels are swapped as long as that helps, beginning with the better of the "
      "order\n"
      "given and the one that is recommended (\"heuristic\"): larger local memory first,\n"
      "then larger shared-memory configurations (docs/order.md).\n"
      "\n"
      "MODEL is " +
      std::string(hypothesis_meaning) +
      "\n"
      "\n"
      "Exit codes: 0 an order was found, 12 the model leaves placements to chance, or no order "
      "was\n"
      "found in which all kernels end.\n"
      "\n"
      "Example:\n"
      "  cuvier order kernels.json --device rtx3090");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("KERNELS.json", arguments->kernels, "The kernels, each with \"block_ms\"")
      ->required()
      ->type_name("");
  add_prediction_options(app, arguments->prediction);
  app.add_flag("--json", arguments->json, "Print JSON on a terminal too");
  return [arguments] { return find_order(*arguments); };
}

}  // namespace cuvier
