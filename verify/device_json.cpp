#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "verify/journal.h"
#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

constexpr long most_bytes = 16777216;

std::vector<int> labels(Fields& fields, const std::string& name, int sms) {
  std::vector<int> labels = fields.integers(name, 0, sms - 1);
  if (static_cast<int>(labels.size()) != sms) fields.fail(name, "must have a number for each SM");
  return labels;
}

}  // namespace

Device device_from(const Json& json, const std::string& where, bool may_have_note) {
  Fields fields(json, where);
  Device device;
  device.name = fields.text("name");
  device.architecture = fields.text("architecture");
  if (!std::regex_match(device.architecture, std::regex("sm_[0-9]+[a-z]?"))) {
    fields.fail("architecture", "must be one like sm_86");
  }
  const auto count = [&](const char* name, long least, long most = 4096) {
    return static_cast<int>(fields.integer(name, least, most));
  };
  device.sms = count("sms", 1);
  device.sms_per_tpc = count("sms_per_tpc", 1);
  count("subpartitions", 4, 4);
  device.max_blocks_per_sm = count("max_blocks_per_sm", 1);
  device.max_warps_per_sm = count("max_warps_per_sm", 8);
  device.max_threads_per_block = count("max_threads_per_block", 32);
  device.max_registers_per_thread = count("max_registers_per_thread", 16);
  device.registers_per_sm = count("registers_per_sm", 4096, most_bytes);
  device.shared_configs = fields.integers("shared_configs", 0, most_bytes);
  if (device.shared_configs.empty() ||
      std::ranges::adjacent_find(device.shared_configs, std::ranges::greater_equal{}) !=
          device.shared_configs.end()) {
    fields.fail("shared_configs", "must ascend");
  }
  device.max_shared_per_block = count("max_shared_per_block", 0, device.shared_configs.back());
  device.max_resident_kernels =
      static_cast<int>(fields.integer("max_resident_kernels", 1, 4096, 128));
  device.max_cluster = static_cast<int>(fields.integer("max_cluster", 0, 16, 0));
  if (fields.find("gpc_of_sm")) device.gpc_of_sm = labels(fields, "gpc_of_sm", device.sms);
  if (fields.find("tpc_of_sm")) {
    device.tpc_of_sm = labels(fields, "tpc_of_sm", device.sms);
  } else {
    for (int sm = 0; sm < device.sms; ++sm) device.tpc_of_sm.push_back(sm / device.sms_per_tpc);
  }
  if (device.max_warps_per_sm % 4 != 0) fields.fail("max_warps_per_sm", "must be in fours");
  if (device.registers_per_sm % 4 != 0) fields.fail("registers_per_sm", "must be in fours");
  if (may_have_note) fields.find("note");
  fields.nothing_else();
  return device;
}

namespace {

Kernel kernel_from(const Json& json, const std::string& name, const std::string& where) {
  constexpr long most = 1000000000;
  Fields fields(json, where);
  const auto count = [&](const char* field, long least, std::optional<long> missing = {}) {
    return static_cast<int>(fields.integer(field, least, most, missing));
  };
  Kernel kernel{name,
                count("blocks", 1),
                count("threads", 1),
                count("registers", 1),
                count("shared", 0, 0),
                count("local", 0, 0),
                fields.find("stream") ? fields.text("stream") : "",
                count("priority", -most, 0),
                fields.find("cluster") ? count("cluster", 1) : 0};
  fields.nothing_else();
  return kernel;
}

int kernel_named(const Probe& probe, const Json& json, const std::string& where) {
  const auto found = std::ranges::find_if(
      probe.kernels, [&](const Kernel& kernel) { return json.is_string() && json == kernel.name; });
  if (found == probe.kernels.end()) throw Unreadable(where + ": names no kernel of the probe");
  return static_cast<int>(found - probe.kernels.begin());
}

Action::Release release_from(const Probe& probe, const Json& json, const std::string& where) {
  if (json.is_string()) return {kernel_named(probe, json, where), true, {}};
  Fields fields(json, where);
  Action::Release release{kernel_named(probe, fields.at("kernel"), where), false, {}};
  release.blocks = fields.integers("blocks", 0, probe.kernels[release.kernel].blocks - 1);
  fields.nothing_else();
  return release;
}

}  // namespace

Probe probe_from(Fields& fields, const Device& device) {
  Probe probe;
  probe.name = fields.text("name");
  const Json& kernels = fields.at("kernels");
  if (!kernels.is_object() || kernels.empty()) fields.fail("kernels", "must name some");
  for (const auto& [name, json] : kernels.items()) {
    const std::string where = fields.place("kernels") + '.' + name;
    probe.kernels.push_back(kernel_from(json, name, where));
    const std::string fault = illegal(probe.kernels.back(), device);
    if (!fault.empty()) throw Unreadable(where + ": " + fault);
  }
  const Json& script = fields.at("script");
  if (!script.is_array()) fields.fail("script", "must be a list");
  std::vector<bool> launched(probe.kernels.size());
  for (std::size_t step = 0; step < script.size(); ++step) {
    const std::string where = fmt::format("{}[{}]", fields.place("script"), step);
    Fields of(script[step], where);
    Action action;
    if (const Json* launch = of.find("launch")) {
      action.launch = kernel_named(probe, *launch, where);
      if (launched[action.launch]) throw Unreadable(where + ": launches a kernel again");
      launched[action.launch] = true;
    } else {
      const Json& releases = of.at("release");
      if (!releases.is_array()) of.fail("release", "must be a list");
      for (const Json& each : releases) {
        action.releases.push_back(release_from(probe, each, where));
        if (!launched[action.releases.back().kernel]) {
          throw Unreadable(where + ": releases a kernel before it is launched");
        }
      }
    }
    of.nothing_else();
    probe.script.push_back(action);
  }
  return probe;
}

}  // namespace cuvier::verify
