#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_output.h"
#include "reports/axes_table.h"

namespace cuvier {

Run declare_axes(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print it for programs");
  return [json] {
    print(*json ? axes_json().dump(2) + '\n' : axes_text());
    return exit_done;
  };
}

}  // namespace cuvier
