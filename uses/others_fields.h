#pragma once

#include <algorithm>
#include <set>

#include "probes/format.h"
#include "probes/json_fields.h"
#include "probes/kernel_fault.h"
#include "uses/partition.h"

namespace cuvier {

/// N, or a list of SMs, in JSON.
struct ReservedSmsFormat {
  ReservedSms read(const nlohmann::ordered_json& json, const Place& place) const {
    if (!json.is_array()) return {count.read(json, place), {}};
    const std::vector<int> sms = which.read(json, place);
    if (std::set(sms.begin(), sms.end()).size() != sms.size()) place.fail("names an SM twice");
    return {static_cast<int>(sms.size()), sms};
  }
  nlohmann::ordered_json schema() const { return {{"oneOf", {count.schema(), which.schema()}}}; }

  Integer count{{0}};
  Integers which{{0}};
};

/// Throws Error unless the kernels that are resident are legal, and called otherwise than those
/// that come.
inline void expect_apart(const std::vector<Kernel>& resident, const std::vector<Kernel>& kernels,
                         const Device& device, const std::string& where) {
  for (const Kernel& kernel : resident) {
    const Place place = Place(where).field("resident").field(kernel.name);
    if (const auto fault = fault_of(kernel, device)) {
      (fault->field.empty() ? place : place.field(fault->field)).fail(fault->what);
    }
    if (std::ranges::find(kernels, kernel.name, &Kernel::name) == kernels.end()) continue;
    place.fail("is one of the kernels, too; rename it");
  }
}

/// Throws Error unless they are SMs of the device, and not all.
inline void expect_some_left(const ReservedSms& reserved, const Device& device,
                             const Place& place) {
  const auto is_beyond = [&](int sm) { return sm >= device.sms; };
  if (std::ranges::any_of(reserved.sms, is_beyond)) {
    place.fail("{} has SM 0 to {}", device.name, device.sms - 1);
  }
  if (reserved.count >= device.sms) {
    place.fail("leaves none of the {} SMs of {}", device.sms, device.name);
  }
}

/// Which SMs are reserved, as --reserved-sms has it. Throws Error.
inline std::vector<int> read_reserved_sms(const nlohmann::ordered_json& json, const Device& device,
                                          const Place& place) {
  const ReservedSms reserved = ReservedSmsFormat().read(json, place);
  expect_some_left(reserved, device, place);
  return reserved.some_of(device.sms);
}

}  // namespace cuvier
