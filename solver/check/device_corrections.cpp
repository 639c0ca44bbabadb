#include "solver/check/device_corrections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace cuvier {
namespace {

constexpr std::size_t most_corrections = 2;

bool shows(const Device& device, const Hypothesis& hypothesis, const MeasuredClaim& claim) {
  return predicted(device, hypothesis, claim.probe, claim.measure) == claim.seen;
}

/// The first candidate that shows all of a granularity's probes.
std::optional<Hypothesis> candidate_of(const Device& device, const MeasuredGranularity& measured) {
  for (const Hypothesis& candidate : measured.candidates) {
    if (std::ranges::all_of(measured.probes, [&](const MeasuredClaim& claim) {
          return shows(device, candidate, claim);
        })) {
      return candidate;
    }
  }
  return std::nullopt;
}

/// The hypothesis with what the granularities leave; those that nothing explains are counted.
Hypothesis with_granularities(const Device& device, Hypothesis hypothesis, const Measured& measured,
                              int& unexplained) {
  for (const MeasuredGranularity& each : measured.granularities) {
    const auto candidate = candidate_of(device, each);
    if (!candidate) ++unexplained;
    for (const int axis : each.axes) {
      if (candidate) hypothesis.values[axis] = candidate->values[axis];
    }
  }
  return hypothesis;
}

/// A fact, and whatever it may be instead, the nearest to it first.
struct Field {
  std::string name;
  int* value;  ///< of a device at hand
  std::vector<int> others;
};

std::vector<int> steps(int first, int last, int step) {
  std::vector<int> values;
  for (int value = first; value <= last; value += step) values.push_back(value);
  return values;
}

std::vector<Field> fields_of(Device& device) {
  std::vector<Field> fields = {
      {"max_warps_per_sm", &device.max_warps_per_sm,
       steps(device.max_threads_per_block / 32, 128, device.subpartitions)},
      {"max_blocks_per_sm", &device.max_blocks_per_sm, steps(1, 64, 1)},
      {"registers_per_sm", &device.registers_per_sm, steps(16 * kKiB, 256 * kKiB, 8 * kKiB)},
      {"max_resident_kernels", &device.max_resident_kernels, steps(1, 256, 1)},
      {"max_shared_per_block", &device.max_shared_per_block,
       steps(kKiB, device.largest_config(), kKiB)}};
  for (std::size_t i = 0; i < device.shared_configs.size(); ++i) {
    const bool last = i + 1 == device.shared_configs.size();
    const int above = last ? 2 * device.shared_configs[i] : device.shared_configs[i + 1] - kKiB;
    const int least = last ? device.max_shared_per_block : 0;
    const int below = i == 0 ? 0 : device.shared_configs[i - 1] + kKiB;
    fields.push_back({fmt::format("shared_configs[{}]", i), &device.shared_configs[i],
                      steps(std::max(below, least), above, kKiB)});
  }
  // A map has an entry for each SM.
  if (device.gpc_of_sm.empty() && device.tpc_of_sm.empty()) {
    fields.push_back({"sms", &device.sms, steps(1, 2 * device.sms, 1)});
    fields.push_back({"sms_per_tpc", &device.sms_per_tpc, steps(1, 4, 1)});
  }
  for (Field& field : fields) {
    std::ranges::stable_sort(field.others, {},
                             [&](int value) { return std::abs(value - *field.value); });
  }
  return fields;
}

class Corrector {
 public:
  Corrector(const Measured& measured, const Task& task) : measured_(measured), task_(task) {}

  /// Corrections of just so many facts, if such explain everything.
  std::optional<std::vector<DeviceCorrection>> of(const Device& device, std::size_t size) const {
    int unexplained = 0;
    const Hypothesis hypothesis = with_granularities(device, {}, measured_, unexplained);
    const auto wrong = std::ranges::find_if(measured_.claims, [&](const MeasuredClaim& claim) {
      return !shows(device, hypothesis, claim);
    });
    if (wrong == measured_.claims.end()) {
      if (unexplained > 0 || size > 0) return std::nullopt;
      return std::vector<DeviceCorrection>{};
    }
    if (size == 0) return std::nullopt;
    Device other = device;
    for (const Field& field : fields_of(other)) {
      const int before = *field.value;
      for (const int value : field.others) {
        if (value == before) continue;
        task_.still();
        *field.value = value;
        if (shows(other, hypothesis, *wrong)) {
          if (auto more = of(other, size - 1)) {
            more->insert(more->begin(), {field.name, before, value});
            return more;
          }
        }
      }
      *field.value = before;
    }
    return std::nullopt;
  }

 private:
  const Measured& measured_;
  const Task& task_;
};

}  // namespace

bool explains(const Device& device, const Hypothesis& hypothesis, const Measured& measured) {
  int unexplained = 0;
  const Hypothesis granular = with_granularities(device, hypothesis, measured, unexplained);
  return unexplained == 0 && std::ranges::all_of(measured.claims, [&](const MeasuredClaim& claim) {
           return shows(device, granular, claim);
         });
}

std::vector<DeviceCorrection> smallest_corrections(const Device& device, const Measured& measured,
                                                   const Task& task) {
  for (std::size_t size = 1; size <= most_corrections; ++size) {
    if (auto found = Corrector(measured, task).of(device, size)) return *std::move(found);
  }
  return {};
}

Device corrected(Device device, const std::vector<DeviceCorrection>& corrections) {
  std::vector<Field> fields = fields_of(device);
  for (const DeviceCorrection& correction : corrections) {
    *std::ranges::find(fields, correction.field, &Field::name)->value = correction.value;
  }
  return device;
}

}  // namespace cuvier
