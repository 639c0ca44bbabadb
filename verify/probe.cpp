// Devices and probes in files.

#include <algorithm>

#include "verify/recording.h"

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

void read_numbers(Field& fields, const auto& numbers, auto& of) {
  for (const auto& [name, number, least, most, missing] : numbers) {
    const std::optional<Field> field = missing ? fields.find(name) : fields.at(name);
    of.*number = field ? field->number(least, most) : *missing;
  }
}

std::vector<int> labels(const Field& field, int sms) {
  std::vector<int> labels = field.numbers(0, sms - 1);
  if (std::ssize(labels) != sms) field.fail("must have a number for each SM");
  return labels;
}

Action action_from(const Probe& probe, Field json) {
  Action action;
  if (const auto launch = json.find("launch")) {
    action.launch = kernel_named(probe, *launch);
  } else {
    for (Field each : json.at("release").list()) {
      const bool all = each.json().is_string();
      const int k = kernel_named(probe, all ? each : each.at("kernel"));
      action.releases.push_back({k, all, {}});
      if (all) continue;
      action.releases.back().blocks = each.at("blocks").numbers(0, probe.kernels[k].blocks - 1);
      each.nothing_else();
    }
  }
  json.nothing_else();
  return action;
}

}  // namespace

int kernel_named(const Probe& probe, const Field& name) {
  const auto found = std::ranges::find_if(
      probe.kernels, [&](const Kernel& kernel) { return name.json() == kernel.name; });
  if (found == probe.kernels.end()) name.fail("names no kernel of the probe");
  return static_cast<int>(found - probe.kernels.begin());
}

Device device_from(Field fields) {
  Device device;
  device.name = fields.at("name").get<std::string>();
  device.architecture = fields.at("architecture").get<std::string>();
  read_numbers(fields, numbers_of_device, device);
  fields.at("subpartitions").number(4, 4);
  const Field configs = fields.at("shared_configs");
  device.shared_configs = configs.numbers(0, most_bytes);
  if (device.shared_configs.empty() ||
      std::ranges::adjacent_find(device.shared_configs, std::ranges::greater_equal{}) !=
          device.shared_configs.end()) {
    configs.fail("must ascend");
  }
  if (device.max_shared_per_block > device.shared_configs.back()) {
    configs.fail("must reach to max_shared_per_block");
  }
  if (const auto gpcs = fields.find("gpc_of_sm")) device.gpc_of_sm = labels(*gpcs, device.sms);
  if (const auto tpcs = fields.find("tpc_of_sm")) {
    device.tpc_of_sm = labels(*tpcs, device.sms);
  } else {
    for (int sm = 0; sm < device.sms; ++sm) device.tpc_of_sm.push_back(sm / device.sms_per_tpc);
  }
  for (const char* in_fours : {"max_warps_per_sm", "registers_per_sm"}) {
    if (fields.at(in_fours).json().get<int>() % 4 != 0)
      fields.at(in_fours).fail("must be in fours");
  }
  if (device.max_threads_per_block % 32 != 0) {
    fields.at("max_threads_per_block").fail("must be whole warps");
  }
  fields.nothing_else();
  return device;
}

Probe probe_from(Field& fields, const Device& device) {
  Probe probe;
  probe.name = fields.at("name").get<std::string>();
  Field kernels = fields.at("kernels");
  if (!kernels.json().is_object() || kernels.json().empty()) kernels.fail("must name some");
  for (const auto& [name, json] : kernels.json().items()) {
    Field of = kernels.at(name);
    Kernel& kernel = probe.kernels.emplace_back();
    kernel.name = name;
    read_numbers(of, numbers_of_kernel, kernel);
    if (const auto stream = of.find("stream")) kernel.stream = stream->get<std::string>();
    if (const auto cluster = of.find("cluster")) kernel.cluster = cluster->number(1, most_in_files);
    of.nothing_else();
    const std::string fault = illegal(kernel, device);
    if (!fault.empty()) of.fail(fault);
  }
  std::vector<bool> launched(probe.kernels.size());
  for (const Field& each : fields.at("script").list()) {
    const Action& action = probe.script.emplace_back(action_from(probe, each));
    for (const Action::Release& release : action.releases) {
      if (!launched[release.kernel]) each.fail("releases a kernel before it is launched");
    }
    if (action.launch < 0) continue;
    if (launched[action.launch]) each.fail("launches a kernel again");
    launched[action.launch] = true;
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
