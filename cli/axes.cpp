#include "hypotheses/axes.h"

#include <string>
#include <vector>

#include "cli/command.h"
#include "reports/model/axes_table.h"

namespace cuvier {
namespace {

struct Arguments {
  bool json = false;
  std::string formula;
};

std::vector<std::string> axes_with_formulas() {
  std::vector<std::string> names;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).formula) names.emplace_back(axis_info(axis).name);
  }
  return names;
}

int list_axes(const Arguments& arguments, Terminal& terminal) {
  if (!arguments.formula.empty()) {
    terminal.print(formulas_text(*find_axis(arguments.formula)));
    return exit_done;
  }
  terminal.print(arguments.json ? axes_json().dump(2) + '\n' : axes_text());
  return exit_done;
}

void declare(Options& options, Arguments& arguments) {
  options.choice("--formula AXIS", arguments.formula, axes_with_formulas(),
                 "What formulas of this axis read and give, and its values as formulas");
  options.json(arguments.json);
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
      R"(  cuvier axes --formula pointer_skip)",
      {},
      with(declare, list_axes)};
}

}  // namespace cuvier
