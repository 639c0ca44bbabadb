#include "cli/command.h"
#include "reports/model/axes_table.h"

namespace cuvier {
namespace {

struct Arguments {
  bool json = false;
};

int list_axes(const Arguments& arguments, Terminal& terminal) {
  terminal.print(arguments.json ? axes_json().dump(2) + '\n' : axes_text());
  return exit_done;
}

void declare(Options& options, Arguments& arguments) { options.json(arguments.json); }

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
      with(declare, list_axes)};
}

}  // namespace cuvier
