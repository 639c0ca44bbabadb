#include "cli/command.h"
#include "reports/model/devices_table.h"

namespace cuvier {
namespace {

struct Arguments {
  bool json = false;
};

int list_devices(const Arguments& arguments, Terminal& terminal) {
  terminal.print(arguments.json ? devices_json().dump(2) + '\n' : devices_text());
  return exit_done;
}

void declare(Options& options, Arguments& arguments) {
  options.json(arguments.json, "Print every fact, for programs");
}

}  // namespace

Command devices_command() {
  return {"devices",
          "The GPUs whose documented facts are built in",
          R"(Where a DEVICE is asked for, a path that ends in .json names a file of your own: print
a device with --json, and change what differs.)",
          "",
          {},
          with(declare, list_devices)};
}

}  // namespace cuvier
