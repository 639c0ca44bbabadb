#include "reports/model/devices_table.h"

#include <fmt/format.h>

#include "hypotheses/devices.h"
#include "hypotheses/plausible_models.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/model/model_evidence.h"

namespace cuvier {

std::string devices_text() {
  std::vector<std::vector<std::string>> rows = {{"name", "arch", "SMs", "SMs/TPC", "blocks/SM",
                                                 "warps/SM", "registers/SM", "shared KiB/SM",
                                                 "model", "GPU"}};
  for (const DeviceFile& file : known_devices()) {
    const Device& device = file.device;
    rows.push_back({file.name, device.architecture, count_words(device.sms),
                    count_words(device.sms_per_tpc), count_words(device.max_blocks_per_sm),
                    count_words(device.max_warps_per_sm), count_words(device.registers_per_sm),
                    count_words(device.largest_config() / kKiB),
                    std::string(plausible_models(device).front().name), device.name});
  }
  std::string notes;
  for (const DeviceFile& file : known_devices()) {
    const Hypothesis likeliest = plausible_models(file.device).front().hypothesis;
    const std::string model = model_words(Model{likeliest, evidence_for(file.device, likeliest)});
    notes += fmt::format("{}: {}\n", file.name, model);
  }
  for (const DeviceFile& file : known_devices()) {
    if (!file.note.empty()) notes += fmt::format("{}: {}\n", file.name, file.note);
  }
  return aligned(rows) + '\n' + notes;
}

nlohmann::ordered_json devices_json() {
  Json json = Json::object();
  for (const DeviceFile& file : known_devices()) {
    json[file.name] = to_json(file.device);
    if (!file.note.empty()) json[file.name]["note"] = file.note;
  }
  return json;
}

}  // namespace cuvier
