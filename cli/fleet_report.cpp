#include "reports/fleet/fleet_report.h"

#include "cli/command.h"
#include "cli/process.h"
#include "probes/probe_json.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

struct FleetReportArguments {
  std::string dir;
  bool json = false;
};

void write_differences(const FleetSummary& summary, const FleetFolder& folder) {
  for (const ClassDifference& each : summary.differences) {
    const std::string file = difference_file(each);
    if (file.empty()) continue;
    write_with_folder(folder.path(file),
                      to_json(each.comparison.distinction->probe).dump(2) + '\n');
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
    terminal.print(json.dump(1) + '\n');
  } else {
    terminal.print(shown(page) + "\nreport: " + folder.path("report.html") + '\n');
  }
  return exit_done;
}

void declare_fleet_report(Options& options, FleetReportArguments& arguments) {
  options.add("DIR", arguments.dir, "The fleet's folder");
  options.json(arguments.json, "Print it for programs, every GPU named");
  options.progress();
}

}  // namespace

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
