#include "hypotheses/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hypotheses/embedded_devices.h"
#include "probes/error.h"

namespace cuvier {
namespace {

Device parse_device(std::string_view text, const std::string& where) {
  try {
    return device_from_json(nlohmann::json::parse(text), where);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(fmt::format("{}: byte {} is where this stops being JSON", where, error.byte));
  }
}

Device read_device(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Error(fmt::format("{}: cannot read it: {}", path, std::strerror(errno)));
  return parse_device(text, path);
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
  if (name_or_path.ends_with(".json")) return read_device(name_or_path);
  const auto& known = known_devices();
  const auto found = std::ranges::find(known, name_or_path, &DeviceFile::name);
  if (found != known.end()) return found->device;
  throw Error(
      fmt::format("no device is called \"{}\"; known are {}, or give the path of a .json file",
                  name_or_path, known_names()));
}

}  // namespace cuvier
