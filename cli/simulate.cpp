#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/hypothesis_argument.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "reports/outcome_report.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string workload;
  std::string device;
  std::vector<std::string> policies;
  bool json = false;
};

int simulate_workload(const Arguments& arguments) {
  const Device device = find_device(arguments.device);
  std::vector<Hypothesis> hypotheses;
  for (const std::string& policy : arguments.policies) {
    hypotheses.push_back(read_hypothesis(policy, device));
  }
  const Workload workload = workload_from_json(
      parse_json(read_file(arguments.workload), arguments.workload), device, arguments.workload);
  std::vector<SimulatedPolicy> simulated;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    simulated.push_back({arguments.policies[i], simulate(device, hypotheses[i], workload)});
  }
  if (arguments.json || !stdout_is_terminal()) {
    print(outcomes_json(simulated, device).dump() + '\n');
  } else {
    print(outcomes_text(simulated, device));
  }
  return exit_done;
}

}  // namespace

Run declare_simulate(CLI::App& app) {
  app.footer(
      "A workload is kernels as in a probe, with the time at which each arrives (0 if not said)\n"
      "and how long each of its blocks runs if nothing slows it. \"contention\" says how much "
      "longer\n"
      "blocks run as the warp slots of their SM fill: straight lines from 0 through these points.\n"
      R"(  {"kernels": {"a": {"blocks": 96, "threads": 256, "registers": 32, "block_ms": 12},
               "b": {"blocks": 20, "threads": 64, "registers": 32, "arrival_ms": 3, "block_ms": 5}},
   "contention": [[0.5, 0.2], [1, 0.7]]})"
      "\n"
      "\n"
      "ANTT is the turnaround of a kernel, queueing included, over its time alone on the device,\n"
      "on average over those that finish; a kernel that never does is counted as unfinished.\n"
      "\n"
      "HYPOTHESIS is " +
      std::string(hypothesis_meaning) +
      "\n"
      "\n"
      "Example:\n"
      "  cuvier simulate workload.json --device v100 --policy algorithm-1 --policy bfa");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("WORKLOAD.json", arguments->workload, "What arrives when")
      ->required()
      ->type_name("");
  app.add_option("--device", arguments->device,
                 "A name that `cuvier devices` lists, or a .json file")
      ->required()
      ->type_name("DEVICE");
  app.add_option("--policy", arguments->policies, "The scheduler; may be repeated")
      ->required()
      ->type_name("HYPOTHESIS")
      ->allow_extra_args(false);
  app.add_flag("--json", arguments->json, "Print JSON on a terminal too");
  return [arguments] { return simulate_workload(*arguments); };
}

}  // namespace cuvier
