#include "probes/device_corrections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace cuvier {
namespace {

constexpr auto kTpcs = "tpc_of_sm";

/// A fact, and whatever it may be.
struct Field {
  std::string name;
  int* value;  ///< of a device at hand
  std::vector<int> possible;
};

std::vector<int> steps(int first, int last, int step) {
  std::vector<int> values;
  for (int value = first; value <= last; value += step) values.push_back(value);
  return values;
}

std::vector<Field> fields_of(Device& device) {
  std::vector<Field> fields = {
      {"max_warps_per_sm", &device.max_warps_per_sm,
       steps(device.max_threads_per_block / kThreadsPerWarp, 128, device.subpartitions)},
      {"max_blocks_per_sm", &device.max_blocks_per_sm, steps(1, 64, 1)},
      {"registers_per_sm", &device.registers_per_sm, steps(16 * kKiB, 256 * kKiB, 4 * kKiB)},
      {"max_resident_kernels", &device.max_resident_kernels, steps(1, 256, 1)},
      {"max_shared_per_block", &device.max_shared_per_block,
       steps(kKiB, device.largest_config(), kKiB)}};
  for (std::size_t i = 0; i < device.shared_configs.size(); ++i) {
    const bool last = i + 1 == device.shared_configs.size();
    const int above = last ? 2 * device.shared_configs[i] : device.shared_configs[i + 1] - kKiB;
    const int least = last ? device.max_shared_per_block : 0;
    const int below = i == 0 ? 0 : device.shared_configs[i - 1] + kKiB;
    Field field{fmt::format("shared_configs[{}]", i), &device.shared_configs[i],
                steps(std::max(below, least), above, kKiB)};
    if (!last && below > 0) field.possible.push_back(0);
    fields.push_back(std::move(field));
  }
  // A map has an entry for each SM.
  if (device.gpc_of_sm.empty() && device.tpc_of_sm.empty()) {
    fields.push_back({"sms", &device.sms, steps(1, 2 * device.sms, 1)});
    fields.push_back({"sms_per_tpc", &device.sms_per_tpc, steps(1, 4, 1)});
  }
  return fields;
}

/// How far the two SMs of a TPC may be from each other; neighbours, where nothing else is known.
std::vector<int> possible_distances(const Device& device) {
  if (!device.tpc_of_sm.empty() || device.sms_per_tpc != 2) return {};
  std::vector<int> distances;
  for (int distance = device.sms / 2; distance > 1; --distance) {
    if (device.sms % (2 * distance) == 0) distances.push_back(distance);
  }
  return distances;
}

std::vector<int> tpcs_of_distance(int sms, int distance) {
  std::vector<int> tpcs;
  for (int sm = 0; sm < sms; ++sm) {
    tpcs.push_back(sm / (2 * distance) * distance + sm % distance);
  }
  return tpcs;
}

}  // namespace

std::string words_of(const DeviceCorrection& correction) {
  if (correction.field.starts_with("shared_configs") && correction.value == 0) {
    return fmt::format("{}, {} bytes, does not exist", correction.field, correction.documented);
  }
  if (correction.field == kTpcs) {
    return fmt::format("the SMs of a TPC are {} apart, and no neighbours", correction.value);
  }
  return fmt::format("{} is {} instead of {}", correction.field, correction.value,
                     correction.documented);
}

std::vector<DeviceCorrection> single_corrections(const Device& device) {
  std::vector<DeviceCorrection> corrections;
  Device at_hand = device;
  for (Field& field : fields_of(at_hand)) {
    const int documented = *field.value;
    std::erase(field.possible, documented);
    std::ranges::stable_sort(field.possible, {},
                             [&](int value) { return std::abs(value - documented); });
    for (const int value : field.possible) corrections.push_back({field.name, documented, value});
  }
  for (const int distance : possible_distances(device)) corrections.push_back({kTpcs, 1, distance});
  return corrections;
}

Device corrected(Device device, const std::vector<DeviceCorrection>& corrections) {
  {
    const std::vector<Field> fields = fields_of(device);
    for (const DeviceCorrection& correction : corrections) {
      if (correction.field == kTpcs) {
        device.tpc_of_sm = tpcs_of_distance(device.sms, correction.value);
        continue;
      }
      *std::ranges::find(fields, correction.field, &Field::name)->value = correction.value;
    }
  }
  const auto first = device.shared_configs.begin();
  device.shared_configs.erase(std::remove(first + 1, device.shared_configs.end(), 0),
                              device.shared_configs.end());
  return device;
}

}  // namespace cuvier
