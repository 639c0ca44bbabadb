#include "reports/fleet/fleet_report.h"

#include <fmt/format.h>

#include <map>

#include "cli/command.h"
#include "cli/process.h"
#include "cli/slurm.h"
#include "probes/probe_json.h"
#include "reports/document/json_text.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "uses/fleet/fleet_folder.h"

namespace cuvier {
namespace {

struct FleetReportArguments {
  std::string dir;
  bool json = false;
};

int tell_status(const FleetReportArguments& arguments, Terminal& terminal) {
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

void write_differences(const FleetSummary& summary, const FleetFolder& folder) {
  for (const ClassDifference& each : summary.differences) {
    const std::string file = difference_file(each);
    if (file.empty()) continue;
    write_with_folder(folder.path(file),
                      json_text(to_json(each.comparison.distinction->probe), 2) + '\n');
  }
}

int report_fleet(const FleetReportArguments& arguments, Terminal& terminal) {
  end_on_interrupt();
  const FleetFolder folder(arguments.dir);
  FleetSummary summary = summary_of(folder, terminal.task());
  find_differences(summary, terminal.task());
  write_differences(summary, folder);
  const Page page = fleet_page(summary, arguments.dir);
  const auto json = report_file("fleet", fleet_json(summary), page);
  write_page(folder.path("report.html"), page);
  if (arguments.json) {
    terminal.print_json(json, 1);
  } else {
    terminal.print(shown(page) + "\nreport: " + folder.path("report.html") + '\n');
  }
  return exit_done;
}

void declare_fleet_status(Options& options, FleetReportArguments& arguments) {
  options.add("DIR", arguments.dir, "The fleet's folder");
  options.json(arguments.json);
}

void declare_fleet_report(Options& options, FleetReportArguments& arguments) {
  options.add("DIR", arguments.dir, "The fleet's folder");
  options.json(arguments.json, "Print it for programs, every GPU named");
  options.progress();
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

Command fleet_report_command() {
  return {
      "fleet-report",
      "Which mechanisms and maps a fleet has, and which GPUs are odd",
      R"(Says of all that is done in DIR which mechanisms there are and what tells each two apart,
which maps of SMs, how many clusters of each size are on a GPU at once (the least, the median,
the most), which GPUs are otherwise than their device file or odd, and what was not reached.
DIR gets report.html, a page for browsers, and differences/, the probes.)",
      R"(  cuvier fleet report fleets/ours
  cuvier fleet report fleets/ours --json > ours.json)",
      {},
      with(declare_fleet_report, report_fleet)};
}

}  // namespace cuvier
