#include "probes/device_json.h"

#include <algorithm>
#include <functional>
#include <regex>

#include "probes/format.h"
#include "probes/schemas.h"

namespace cuvier {
namespace {

// Far above any GPU, and small enough that nobody's products overflow.
constexpr Integer some{{1, 4096}};
constexpr Integer some_bytes{{0, 16 << 20}};

// On every subpartition two warps of the fewest registers that a gated kernel has: with less,
// probes could ask nothing. Every GPU has more.
constexpr int fewest_warps_per_sm = 8;
constexpr Integer registers_of_sm{
    {fewest_warps_per_sm * kThreadsPerWarp * kFewestRegisters, 16 << 20}};

auto shared_out(Integer kind) {
  return Checked{kind, R"({"multipleOf": 4})", [](int value) { return value % 4 == 0; },
                 "{} is no multiple of the 4 subpartitions"};
}

bool is_architecture(const std::string& name) {
  static const std::regex architecture("sm_[0-9]+[a-z]?");
  return std::regex_match(name, architecture);
}

bool are_configs(const std::vector<int>& sizes) {
  return !sizes.empty() && std::ranges::is_sorted(sizes, std::less_equal<>());
}

/// A number below that of the SMs for each of them.
struct MapOfSms {
  int sms;
  std::vector<int> read(const Json& json, const Place& place) const {
    std::vector<int> map = read_integers(json, place, {0, sms - 1});
    if (std::ssize(map) == sms) return map;
    place.fail("has {} entries for {} SMs; list one for each SM", map.size(), sms);
  }
  Json schema() const { return Integers{{0, some.range.high - 1}}.schema(); }
};

void check(const Device& device, Fields& fields) {
  if (device.max_threads_per_block > kThreadsPerWarp * device.max_warps_per_sm) {
    fields.place("max_threads_per_block")
        .fail("{} is over the {} threads that max_warps_per_sm allows",
              device.max_threads_per_block, kThreadsPerWarp * device.max_warps_per_sm);
  }
  if (device.max_shared_per_block > device.largest_config()) {
    fields.place("max_shared_per_block")
        .fail("{} is over the largest of shared_configs, {}", device.max_shared_per_block,
              device.largest_config());
  }
}

constexpr auto device_format = object<Device>(
    [](auto& device, auto& field) {
      field.required("name", device.name, String(), "for people");
      field.required("architecture", device.architecture,
                     Checked{String(), R"({"pattern": "^sm_[0-9]+[a-z]?$"})", is_architecture,
                             "{} is none; write it like \"sm_86\""},
                     "as nvcc names it");
      field.required("sms", device.sms, some, "SMs");
      field.required("sms_per_tpc", device.sms_per_tpc, some, "SMs of a TPC");
      field.required("subpartitions", device.subpartitions,
                     Checked{some, R"({"const": 4})", [](int number) { return number == 4; },
                             "must be 4: the scheduler is defined for no other number"},
                     "of an SM");
      field.required("max_blocks_per_sm", device.max_blocks_per_sm, some,
                     "blocks resident on an SM");
      field.required("max_warps_per_sm", device.max_warps_per_sm,
                     shared_out({{fewest_warps_per_sm, some.range.high}}),
                     "warps resident on an SM");
      field.required("max_threads_per_block", device.max_threads_per_block,
                     Checked{Integer{{kThreadsPerWarp, some.range.high}}, R"({"multipleOf": 32})",
                             [](int threads) { return threads % kThreadsPerWarp == 0; },
                             "{} is no multiple of the 32 threads of a warp"},
                     "threads of a block");
      field.required("max_registers_per_thread", device.max_registers_per_thread,
                     Integer{{kFewestRegisters, some.range.high}}, "registers of a thread");
      field.required("registers_per_sm", device.registers_per_sm, shared_out(registers_of_sm),
                     "registers of an SM, of 32 bits");
      field.required("shared_configs", device.shared_configs,
                     Checked{Integers{some_bytes.range}, R"({"minItems": 1, "uniqueItems": true})",
                             are_configs, "must list at least one size in bytes, ascending"},
                     "carve-outs for shared memory in bytes, ascending");
      field.required("max_shared_per_block", device.max_shared_per_block, some_bytes,
                     "dynamic shared memory of a block in bytes, within the largest carve-out");
      field.defaulted("max_resident_kernels", device.max_resident_kernels, some,
                      "kernels that run at once; 128 where it is missing");
      field.optional("max_cluster", device.max_cluster, Integer{{0, Device::kLargestCluster}},
                     "blocks of a cluster; none are launched where it is 0 or missing");
      field.optional("gpc_of_sm", device.gpc_of_sm, MapOfSms{device.sms},
                     "the GPC of each SM, where known");
      field.optional("tpc_of_sm", device.tpc_of_sm, MapOfSms{device.sms},
                     "the TPC of each SM; sms_per_tpc at a time where it is missing");
    },
    check);

}  // namespace

Device device_from_json(const nlohmann::ordered_json& json, const std::string& where,
                        const std::string& path) {
  return device_format.read(json, Place(where, path));
}

nlohmann::ordered_json to_json(const Device& device) { return device_format.write(device); }

std::vector<DifferingField> differing_fields(const Device& one, const Device& other) {
  const Json of_one = to_json(one);
  const Json of_other = to_json(other);
  Json all = of_one;
  all.update(of_other);
  std::vector<DifferingField> differing;
  for (const auto& [name, value] : all.items()) {
    const auto in = [&](const Json& json) {
      return json.contains(name) ? json[name].dump() : "nothing";
    };
    if (in(of_one) != in(of_other)) differing.push_back({name, in(of_one), in(of_other)});
  }
  return differing;
}

nlohmann::ordered_json device_schema() { return device_format.schema(); }

}  // namespace cuvier
