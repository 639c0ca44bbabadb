#include "hypotheses/devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/embedded_devices.h"
#include "probes/device_json.h"
#include "probes/error.h"
#include "probes/format.h"
#include "probes/schemas.h"

namespace cuvier {
namespace {

DeviceFile parse_file(const std::string& name, std::string_view text, const std::string& where) {
  Json json = parse_json(text, where);
  DeviceFile file{name, {}, {}};
  if (json.is_object() && json.contains("note")) {
    file.note = read_text(json["note"], Place(where).field("note"));
    json.erase("note");
  }
  file.device = device_from_json(json, where);
  return file;
}

std::string known_names() {
  std::string names;
  for (const auto& known : known_devices()) {
    if (!names.empty()) names += ", ";
    names += known.name;
  }
  return names;
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
  const auto found = std::ranges::find(known, name_or_path, &DeviceFile::name);
  if (found != known.end()) return found->device;
  throw Error(fmt::format("no device is called {}; known are {}, or give the path of a .json file",
                          in_quotes(name_or_path), known_names()));
}

nlohmann::ordered_json device_file_schema() {
  Json schema = device_schema();
  schema["properties"]["note"] = String().schema();
  schema["properties"]["note"]["description"] = "for people";
  return schema;
}

}  // namespace cuvier
