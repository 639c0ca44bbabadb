#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_output.h"
#include "reports/model/devices_table.h"

namespace cuvier {

Run declare_devices(CLI::App& app) {
  app.footer(
      "Where a DEVICE is asked for, a path that ends in .json names a file of your own: print\n"
      "a device with --json, and change what differs.");
  const auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print every fact, for programs");
  return [json] {
    print(*json ? devices_json().dump(2) + '\n' : devices_text());
    return exit_done;
  };
}

}  // namespace cuvier
