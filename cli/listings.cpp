#include <string>
#include <vector>

#include "cli/command.h"
#include "hypotheses/axes.h"
#include "reports/document/json_text.h"
#include "reports/model/model_report.h"

namespace cuvier {
namespace {

struct ListingsArguments {
  bool json = false;
  std::string formula;
};

template <std::string (*text)(), nlohmann::ordered_json (*json)()>
int list(const ListingsArguments& arguments, Terminal& terminal) {
  terminal.print(arguments.json ? json_text(json(), 2) + '\n' : text());
  return exit_done;
}

int list_axes(const ListingsArguments& arguments, Terminal& terminal) {
  if (arguments.formula.empty()) return list<axes_text, axes_json>(arguments, terminal);
  const int axis = *find_axis(arguments.formula);
  terminal.tell(arguments.json, axes_json()["axes"][axis], formulas_page(axis), 2);
  return exit_done;
}

std::vector<std::string> axes_with_formulas() {
  std::vector<std::string> names;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).formula) names.emplace_back(axis_info(axis).name);
  }
  return names;
}

void declare_axes(Options& options, ListingsArguments& arguments) {
  options.choice("--formula AXIS", arguments.formula, axes_with_formulas(),
                 "What formulas of this axis read and give, and its values as formulas");
  options.json(arguments.json);
}

void declare_devices(Options& options, ListingsArguments& arguments) {
  options.json(arguments.json, "Print every fact, for programs");
}

}  // namespace

Command axes_command() {
  return {
      "axes",
      "What may be true: every axis and its values",
      R"(Where AXIS=VALUE is asked for, write what is listed here: selection=round_robin. Where a
hypothesis is, a name from the end of the list (bfa), or AXIS=VALUE,... for what differs
from Algorithm 1. Many axes take a formula for a value, too, beside all that are named where
one says so: --assume 'pointer_skip=named,next + (w >= 8 ? 1 : 0)'.)",
      "  cuvier axes --formula pointer_skip",
      {},
      with(declare_axes, list_axes)};
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
