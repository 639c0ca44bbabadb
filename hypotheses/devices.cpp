#include "hypotheses/devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/embedded_devices.h"
#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

Device parse_device(std::string_view text, const std::string& where) {
  return device_from_json(parse_json(text, where), where);
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
      result.push_back({name, parse_device(file.json, "devices/" + name + ".json")});
    }
    return result;
  }();
  return devices;
}

Device find_device(const std::string& name_or_path) {
  if (name_or_path.ends_with(".json")) return parse_device(read_file(name_or_path), name_or_path);
  const auto& known = known_devices();
  const auto found = std::ranges::find(known, name_or_path, &DeviceFile::name);
  if (found != known.end()) return found->device;
  throw Error(fmt::format("no device is called {}; known are {}, or give the path of a .json file",
                          in_quotes(name_or_path), known_names()));
}

}  // namespace cuvier
