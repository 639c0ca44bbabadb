#include <fmt/format.h>

#include <map>

#include "cli/command.h"
#include "cli/slurm.h"
#include "reports/fleet/fleet_report.h"
#include "uses/fleet/fleet_folder.h"

namespace cuvier {
namespace {

struct FleetStatusArguments {
  std::string dir;
  bool json = false;
};

int tell_status(const FleetStatusArguments& arguments, Terminal& terminal) {
  const FleetFolder folder(arguments.dir);
  const FleetStatus status = status_of(folder);
  std::map<std::string, int> waiting;
  for (const SlurmTask& task : slurm_tasks(folder.submitted().jobs)) {
    if (task.state != "RUNNING") ++waiting[fmt::format("{}, {}", task.state, task.reason)];
  }
  terminal.tell(arguments.json, fleet_status_json(status, waiting),
                fleet_status_page(status, waiting));
  return status.done >= status.gpus ? exit_done : exit_ambiguous;
}

void declare_fleet_status(Options& options, FleetStatusArguments& arguments) {
  options.add("DIR", arguments.dir, "The fleet's folder");
  options.json(arguments.json);
}

}  // namespace

Command fleet_status_command() {
  return {
      "fleet-status",
      "How far a fleet has come",
      R"(Says how many GPUs are done, at work, stopped (and why) and not begun, about how long the
rest takes, and why tasks wait in Slurm's queue. It reads DIR, and asks squeue.)",
      R"(  cuvier fleet status fleets/ours)",
      {{exit_done, "all are done"}, {exit_ambiguous, "some are not"}},
      with(declare_fleet_status, tell_status)};
}

}  // namespace cuvier
