#include "probes/device_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <regex>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

// Far above any GPU, and small enough that nobody's products overflow.
constexpr Range some{1, 4096};
constexpr Range some_bytes{0, 16 << 20};

// On every subpartition two warps of the fewest registers that a gated kernel has: with less,
// probes could ask nothing. Every GPU has more.
constexpr int fewest_warps_per_sm = 8;
constexpr Range registers_of_sm{fewest_warps_per_sm * kThreadsPerWarp * kFewestRegisters, 16 << 20};

std::vector<int> read_map(Fields& fields, std::string_view name, int sms) {
  if (!fields.has(name)) return {};
  const std::vector<int> map = read_integers(fields.at(name), fields.place(name), {0, sms - 1});
  if (map.size() != static_cast<std::size_t>(sms)) {
    fields.place(name).fail(
        fmt::format("has {} entries for {} SMs; list one for each SM", map.size(), sms));
  }
  return map;
}

void check_consistency(const Device& device, const Fields& fields) {
  static const std::regex architecture("sm_[0-9]+[a-z]?");
  if (!std::regex_match(device.architecture, architecture)) {
    fields.place("architecture")
        .fail(in_quotes(device.architecture) + " is none; write it like \"sm_86\"");
  }
  if (device.subpartitions != 4) {
    fields.place("subpartitions").fail("must be 4: the scheduler is defined for no other number");
  }
  for (const auto& [name, value] : {std::pair{"max_warps_per_sm", device.max_warps_per_sm},
                                    std::pair{"registers_per_sm", device.registers_per_sm}}) {
    if (value % device.subpartitions != 0) {
      fields.place(name).fail(
          fmt::format("{} is no multiple of the {} subpartitions", value, device.subpartitions));
    }
  }
  if (device.max_threads_per_block > 32 * device.max_warps_per_sm) {
    fields.place("max_threads_per_block")
        .fail(fmt::format("{} is over the {} threads that max_warps_per_sm allows",
                          device.max_threads_per_block, 32 * device.max_warps_per_sm));
  }
  if (std::popcount(static_cast<unsigned>(device.max_cluster)) > 1) {
    fields.place("max_cluster").fail(fmt::format("{} is no power of two", device.max_cluster));
  }
  const std::vector<int>& configs = device.shared_configs;
  if (configs.empty() || !std::is_sorted(configs.begin(), configs.end(), std::less_equal<>())) {
    fields.place("shared_configs").fail("must list at least one size in bytes, ascending");
  }
  if (device.max_shared_per_block > device.largest_config()) {
    fields.place("max_shared_per_block")
        .fail(fmt::format("{} is over the largest of shared_configs, {}",
                          device.max_shared_per_block, device.largest_config()));
  }
}

}  // namespace

Device device_from_json(const nlohmann::ordered_json& json, const std::string& where,
                        const std::string& path) {
  Fields fields(json, Place(where, path));
  Device device;
  device.name = fields.text("name");
  device.architecture = fields.text("architecture");
  device.sms = fields.integer("sms", some);
  device.sms_per_tpc = fields.integer("sms_per_tpc", some);
  device.subpartitions = fields.integer("subpartitions", some);
  device.max_blocks_per_sm = fields.integer("max_blocks_per_sm", some);
  device.max_warps_per_sm = fields.integer("max_warps_per_sm", {fewest_warps_per_sm, some.high});
  device.max_threads_per_block = fields.integer("max_threads_per_block", {32, some.high});
  device.max_registers_per_thread =
      fields.integer("max_registers_per_thread", {kFewestRegisters, some.high});
  device.registers_per_sm = fields.integer("registers_per_sm", registers_of_sm);
  device.shared_configs =
      read_integers(fields.at("shared_configs"), fields.place("shared_configs"), some_bytes);
  device.max_shared_per_block = fields.integer("max_shared_per_block", some_bytes);
  device.max_resident_kernels =
      fields.integer("max_resident_kernels", some, device.max_resident_kernels);
  device.max_cluster = fields.integer("max_cluster", {0, Device::kLargestCluster}, 0);
  device.gpc_of_sm = read_map(fields, "gpc_of_sm", device.sms);
  device.tpc_of_sm = read_map(fields, "tpc_of_sm", device.sms);
  fields.refuse_unknown();
  check_consistency(device, fields);
  return device;
}

nlohmann::ordered_json to_json(const Device& device) {
  Json json = {
      {"name", device.name},
      {"architecture", device.architecture},
      {"sms", device.sms},
      {"sms_per_tpc", device.sms_per_tpc},
      {"subpartitions", device.subpartitions},
      {"max_blocks_per_sm", device.max_blocks_per_sm},
      {"max_warps_per_sm", device.max_warps_per_sm},
      {"max_threads_per_block", device.max_threads_per_block},
      {"max_registers_per_thread", device.max_registers_per_thread},
      {"registers_per_sm", device.registers_per_sm},
      {"shared_configs", device.shared_configs},
      {"max_shared_per_block", device.max_shared_per_block},
      {"max_resident_kernels", device.max_resident_kernels},
  };
  if (device.max_cluster != 0) json["max_cluster"] = device.max_cluster;
  if (!device.gpc_of_sm.empty()) json["gpc_of_sm"] = device.gpc_of_sm;
  if (!device.tpc_of_sm.empty()) json["tpc_of_sm"] = device.tpc_of_sm;
  return json;
}

}  // namespace cuvier
