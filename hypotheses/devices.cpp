#include "hypotheses/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "hypotheses/embedded_devices.h"
#include "probes/an_error.h"
#include "probes/device_json.h"
#include "probes/format.h"
#include "probes/nearest_name.h"
#include "probes/schemas.h"

namespace cuvier {
namespace {

/// A TPC is a part of one GPC. Maps that were measured may err, and are data; a file can be mended.
void check_maps(const Device& device, const std::string& where) {
  if (device.gpc_of_sm.empty()) return;
  std::vector<int> first_of_tpc(device.sms, -1);
  for (int sm = 0; sm < device.sms; ++sm) {
    int& first = first_of_tpc[device.tpc_of(sm)];
    if (first < 0) first = sm;
    if (device.gpc_of_sm[sm] == device.gpc_of_sm[first]) continue;
    Place(where)
        .field("gpc_of_sm")
        .item(sm)
        .fail("SM {} is in GPC {}, and SM {} of the same TPC in GPC {}; correct it, or {}", sm,
              device.gpc_of_sm[sm], first, device.gpc_of_sm[first],
              device.tpc_of_sm.empty() ? "list the TPC of each SM in tpc_of_sm" : "tpc_of_sm");
  }
}

DeviceFile parse_file(const std::string& name, std::string_view text, const std::string& where) {
  Json json = parse_json(text, where);
  DeviceFile file{name, {}, {}};
  if (json.is_object() && json.contains("note")) {
    file.note = read_text(json["note"], Place(where).field("note"));
    json.erase("note");
  }
  file.device = device_from_json(json, where);
  check_maps(file.device, where);
  return file;
}

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const auto& known : known_devices()) names.push_back(known.name);
  return names;
}

std::string in_lower_case(std::string text) {
  for (char& letter : text)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// Whether what a GPU is called has a short name among its words: "NVIDIA GeForce RTX 3090" has
/// "rtx3090".
bool has_words(const std::string& gpu, const std::string& name) {
  std::vector<std::string> words(1);
  for (const char letter : in_lower_case(gpu)) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      words.back() += letter;
    } else {
      words.emplace_back();
    }
  }
  for (auto first = words.begin(); first != words.end(); ++first) {
    std::string joined;
    for (auto word = first; word != words.end() && joined.size() < name.size(); ++word) {
      joined += *word;
    }
    if (joined == name) return true;
  }
  return false;
}

/// But for what is another from die to die, and what only a measured topology says.
bool has_limits_of(Device documented, const Device& device) {
  documented.name = device.name;
  documented.max_cluster = device.max_cluster;
  documented.gpc_of_sm = device.gpc_of_sm;
  documented.tpc_of_sm = device.tpc_of_sm;
  return device == documented;
}

}  // namespace

const std::vector<DeviceFile>& known_devices() {
  static const std::vector<DeviceFile> devices = [] {
    std::vector<DeviceFile> result;
    for (const auto& file : embedded_device_files()) {
      const std::string name(file.name);
      result.push_back(parse_file(name, file.text, "devices/" + name + ".json"));
    }
    return result;
  }();
  return devices;
}

Device find_device(const std::string& name_or_path) {
  if (name_or_path.ends_with(".json")) {
    return parse_file(name_or_path, read_file(name_or_path), name_or_path).device;
  }
  const auto& known = known_devices();
  const std::string name = in_lower_case(name_or_path);
  const auto found = std::ranges::find(known, name, &DeviceFile::name);
  if (found != known.end()) return found->device;
  const auto names = known_names();
  throw an_error("no device is called {}; known are {}, or give the path of a .json file",
                 in_quotes_with_hint(name_or_path, names), fmt::join(names, ", "));
}

const DeviceFile* known_file_of(const Device& device) {
  const auto& known = known_devices();
  const auto found = std::ranges::find_if(known, [&](const DeviceFile& file) {
    return has_words(device.name, file.name) && has_limits_of(file.device, device);
  });
  return found == known.end() ? nullptr : &*found;
}

nlohmann::ordered_json device_file_schema() {
  Json schema = device_schema();
  schema["properties"]["note"] = String().schema();
  schema["properties"]["note"]["description"] = "for people";
  return schema;
}

}  // namespace cuvier
