// Devices and probes in files.

#include <algorithm>
#include <regex>

#include "verify/journal.h"

namespace cuvier::verify {
namespace {

constexpr int most_bytes = 16777216;

template <class Of>
struct Number {
  const char* name;
  int Of::*number;
  long least;
  long most = most_in_files;
  std::optional<int> missing = {};
};

const Number<Device> numbers_of_device[] = {
    {"sms", &Device::sms, 1, 4096},
    {"sms_per_tpc", &Device::sms_per_tpc, 1, 4096},
    {"max_blocks_per_sm", &Device::max_blocks_per_sm, 1, 4096},
    {"max_warps_per_sm", &Device::max_warps_per_sm, 8, 4096},
    {"max_threads_per_block", &Device::max_threads_per_block, 32, 4096},
    {"max_registers_per_thread", &Device::max_registers_per_thread, 16, 4096},
    {"registers_per_sm", &Device::registers_per_sm, 4096, most_bytes},
    {"max_shared_per_block", &Device::max_shared_per_block, 0, most_bytes},
    {"max_resident_kernels", &Device::max_resident_kernels, 1, 4096, 128},
    {"max_cluster", &Device::max_cluster, 0, 16, 0}};

const Number<Kernel> numbers_of_kernel[] = {
    {"blocks", &Kernel::blocks, 1},
    {"threads", &Kernel::threads, 1},
    {"registers", &Kernel::registers, 1},
    {"shared", &Kernel::shared, 0, most_in_files, 0},
    {"local", &Kernel::local, 0, most_in_files, 0},
    {"priority", &Kernel::priority, -most_in_files, most_in_files, 0}};

void read_numbers(Fields& fields, const auto& numbers, auto& of) {
  for (const auto& [name, number, least, most, missing] : numbers) {
    of.*number = fields.integer(name, least, most, missing);
  }
}

std::vector<int> labels(Fields& fields, const std::string& name, int sms) {
  std::vector<int> labels = fields.integers(name, 0, sms - 1);
  if (static_cast<int>(labels.size()) != sms) fields.fail(name, "must have a number for each SM");
  return labels;
}

int kernel_named(const Probe& probe, const Json& json, const std::string& where) {
  const auto found = std::ranges::find_if(
      probe.kernels, [&](const Kernel& kernel) { return json == kernel.name; });
  if (found == probe.kernels.end()) throw Unreadable(where + ": names no kernel of the probe");
  return static_cast<int>(found - probe.kernels.begin());
}

Action action_from(const Probe& probe, const Json& json, const std::string& where) {
  Fields fields(json, where);
  Action action;
  if (const Json* launch = fields.find("launch")) {
    action.launch = kernel_named(probe, *launch, where);
  } else {
    for (const auto& [json, where] : fields.list("release")) {
      if (json.is_string()) {
        action.releases.push_back({kernel_named(probe, json, where), true, {}});
        continue;
      }
      Fields of(json, where);
      const int k = kernel_named(probe, of.at("kernel"), where);
      action.releases.push_back({k, false, of.integers("blocks", 0, probe.kernels[k].blocks - 1)});
      of.nothing_else();
    }
  }
  fields.nothing_else();
  return action;
}

}  // namespace

Device device_from(const Json& json, const std::string& where, bool may_have_note) {
  Fields fields(json, where);
  Device device;
  device.name = fields.get<std::string>("name");
  device.architecture = fields.get<std::string>("architecture");
  if (!std::regex_match(device.architecture, std::regex("sm_[0-9]+[a-z]?"))) {
    fields.fail("architecture", "must be one like sm_86");
  }
  read_numbers(fields, numbers_of_device, device);
  fields.integer("subpartitions", 4, 4);
  const auto& configs = device.shared_configs = fields.integers("shared_configs", 0, most_bytes);
  if (configs.empty() ||
      std::ranges::adjacent_find(configs, std::ranges::greater_equal{}) != configs.end()) {
    fields.fail("shared_configs", "must ascend");
  }
  if (device.max_shared_per_block > configs.back()) {
    fields.fail("max_shared_per_block", "is more than the largest configuration");
  }
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

Probe probe_from(Fields& fields, const Device& device) {
  Probe probe;
  probe.name = fields.get<std::string>("name");
  const Json& kernels = fields.at("kernels");
  if (!kernels.is_object() || kernels.empty()) fields.fail("kernels", "must name some");
  for (const auto& [name, json] : kernels.items()) {
    Fields of(json, fields.place("kernels") + '.' + name);
    Kernel& kernel = probe.kernels.emplace_back();
    kernel.name = name;
    read_numbers(of, numbers_of_kernel, kernel);
    kernel.stream = of.get<std::string>("stream", "");
    if (of.find("cluster")) kernel.cluster = of.integer("cluster", 1, most_in_files);
    of.nothing_else();
    const std::string fault = illegal(kernel, device);
    if (!fault.empty()) fields.fail("kernels." + name, fault);
  }
  std::vector<bool> launched(probe.kernels.size());
  for (const auto& [json, where] : fields.list("script")) {
    const Action action = action_from(probe, json, where);
    for (const Action::Release& release : action.releases) {
      if (!launched[release.kernel]) {
        throw Unreadable(where + ": releases a kernel before it is launched");
      }
    }
    if (action.launch >= 0) {
      if (launched[action.launch]) throw Unreadable(where + ": launches a kernel again");
      launched[action.launch] = true;
    }
    probe.script.push_back(action);
  }
  return probe;
}

std::string illegal(const Kernel& kernel, const Device& device) {
  if (kernel.threads > device.max_threads_per_block) return "has more threads than a block may";
  if (kernel.registers > device.max_registers_per_thread)
    return "has more registers than a thread may";
  if (kernel.shared > device.max_shared_per_block) return "has more shared memory than a block may";
  const auto round_up = [](long number, long unit) { return (number + unit - 1) / unit * unit; };
  if (round_up(kernel.registers * 32L, 256) * round_up(kernel.warps(), 4) >
      device.registers_per_sm) {
    return "needs more registers than an SM has";
  }
  if (kernel.cluster == 0) return {};
  long largest = 0;
  for (const int gpc : device.gpc_of_sm) {
    largest = std::max(largest, std::ranges::count(device.gpc_of_sm, gpc));
  }
  if (kernel.cluster > device.max_cluster || kernel.cluster > largest ||
      kernel.blocks % kernel.cluster != 0) {
    return "has clusters that the device does not launch";
  }
  return {};
}

}  // namespace cuvier::verify
