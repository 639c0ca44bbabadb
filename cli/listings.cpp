#include "cli/command.h"
#include "reports/model/model_report.h"

namespace cuvier {
namespace {

struct Arguments {
  bool json = false;
};

template <std::string (*text)(), nlohmann::ordered_json (*json)()>
int list(const Arguments& arguments, Terminal& terminal) {
  terminal.print(arguments.json ? json().dump(2) + '\n' : text());
  return exit_done;
}

void declare_axes(Options& options, Arguments& arguments) { options.json(arguments.json); }

void declare_devices(Options& options, Arguments& arguments) {
  options.json(arguments.json, "Print every fact, for programs");
}

}  // namespace

Command axes_command() {
  return {
      "axes",
      "What may be true: every axis and its values",
      R"(Where AXIS=VALUE is asked for, write what is listed here: selection=round_robin. Where a
hypothesis is, a name from the end of the list (bfa), or AXIS=VALUE,... for what differs
from Algorithm 1.)",
      "",
      {},
      with(declare_axes, list<axes_text, axes_json>)};
}

Command devices_command() {
  return {"devices",
          "The GPUs whose documented facts are built in",
          R"(Where a DEVICE is asked for, a path that ends in .json names a file of your own: print
a device with --json, and change what differs.)",
          "",
          {},
          with(declare_devices, list<devices_text, devices_json>)};
}

}  // namespace cuvier
