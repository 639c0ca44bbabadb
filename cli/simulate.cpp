#include <fmt/format.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "hypotheses/devices.h"
#include "hypotheses/plausible_models.h"
#include "probes/json_fields.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "reports/placements/placements_report.h"
#include "reports/uses/uses_report.h"
#include "uses/simulate/simtbs.h"

namespace cuvier {
namespace {

struct SimulateArguments {
  std::string workload;
  std::string device;
  std::vector<std::string> policies;
  std::string trace;
  bool json = false;
};

int simulate_workload(const SimulateArguments& arguments, Terminal& terminal) {
  const bool is_simtbs = arguments.workload.ends_with(".conf");
  if (is_simtbs != arguments.device.empty()) {
    throw Error(is_simtbs ? "--device is not for a .conf file, which has its own SMs"
                          : "--device is required (see cuvier simulate --help)");
  }
  if (!arguments.trace.empty() && arguments.policies.size() > 1) {
    throw Error("--trace is of one --policy");
  }
  const std::string text = read_file(arguments.workload);
  SimtbsConfig config;
  if (is_simtbs) {
    config = read_simtbs(text, arguments.workload);
  } else {
    config.device = find_device(arguments.device);
    config.workload =
        workload_from_json(parse_json(text, arguments.workload), config.device, arguments.workload);
  }
  const Device& device = config.device;
  std::vector<std::string> policies = arguments.policies;
  if (policies.empty()) policies.emplace_back(plausible_models(device).front().name);
  const auto model_called = [&](const std::string& policy) {
    return is_simtbs
               ? Model{device, plain_hypothesis(policy), "of no GPU: it knows warp slots alone"}
               : read_model_of(device, policy);
  };
  const Task task = terminal.task();
  // Blocks alone on the device are spread evenly under it, as simtbs takes them to be.
  const std::vector<double> alone_ms =
      times_alone(device, model_called("bfa").hypothesis, config.workload, task);
  std::vector<SimulatedPolicy> simulated;
  for (const std::string& policy : policies) {
    const Model model = model_called(policy);
    Trace trace;
    Trace* const traced = arguments.trace.empty() ? nullptr : &trace;
    simulated.push_back(
        {policy, simulate(device, model.hypothesis, config.workload, kNoHorizon, traced, task),
         model.evidence});
    if (traced) write_json(arguments.trace, trace_json(device, trace));
  }
  const Page page = simulation_page(simulated, alone_ms, config.workload, device);
  nlohmann::ordered_json data = {{"device", device.name}};
  data["policies"] = outcomes_json(simulated, alone_ms, config.workload, device);
  terminal.tell(arguments.json, report_file("simulation", std::move(data), page), page);
  return exit_done;
}

void declare_simulate(Options& options, SimulateArguments& arguments) {
  options.add("WORKLOAD", arguments.workload,
              "What arrives when: a .json file, or a .conf file of simtbs");
  options.device(arguments.device, "; not for a .conf file");
  options.add(
      "--policy HYPOTHESIS", arguments.policies,
      fmt::format("The scheduler; if not named, {}; may be repeated", default_model_meaning));
  options.output("--trace FILE", arguments.trace,
                 "Every block on its SM over time, as Chrome trace events, which ui.perfetto.dev "
                 "opens; of one policy");
  options.json(arguments.json, "Print it for programs, and for `cuvier report`");
  options.progress();
}

}  // namespace

Command simulate_command() {
  return {
      "simulate",
      "What a scheduler makes of kernels that come and go",
      R"(A workload is kernels as in a probe, with the time at which each arrives (0 if not said)
and how long each of its blocks runs if nothing slows it. "contention" says how much longer
blocks run as the warp slots of their SM fill: straight lines from 0 through these points.
  {"kernels": {"a": {"blocks": 96, "threads": 256, "registers": 32, "block_ms": 12},
               "b": {"blocks": 20, "threads": 64, "registers": 32, "arrival_ms": 3, "block_ms": 5}},
   "contention": [[0.5, 0.2], [1, 0.7]]}

"memory_contention" says the same for the share of the device's memory that resident blocks
work on ("block_memory" of a kernel); with "refill": "in_pairs" blocks leave in pairs.
A kernel's "most_per_sm" is how many of its blocks an SM takes, "throughput": [1, 1.8, 2.1]
what one, two, three of them there get done; docs/howto/simulate.md has the rest.

A .conf file of simtbs has its own SMs: of its resources the first is modelled, as warp
slots, and a tick is a millisecond. Policies then know nothing but these slots.

ANTT is the turnaround of a kernel, queueing included, over its time alone on the idle device,
on average over those that finish; a kernel that never does is counted as unfinished. The time
alone is the same for all policies: that under bfa, which spreads blocks evenly.)",
      "  cuvier simulate workload.json --device rtx3090 --policy rtx3090-as-recorded --policy bfa",
      {{exit_done, "all policies were simulated"}, {exit_ambiguous, "Ctrl-C: nothing is known"}},
      with(declare_simulate, simulate_workload)};
}

}  // namespace cuvier
