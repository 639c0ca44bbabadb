#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_output.h"
#include "reports/model/axes_table.h"

namespace cuvier {

Run declare_axes(CLI::App& app) {
  app.footer(
      "Where AXIS=VALUE is asked for, write what is listed here: selection=round_robin. Where a\n"
      "hypothesis is, a name from the end of the list (bfa), or AXIS=VALUE,... for what differs\n"
      "from Algorithm 1.");
  const auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print it for programs");
  return [json] {
    print(*json ? axes_json().dump(2) + '\n' : axes_text());
    return exit_done;
  };
}

}  // namespace cuvier
