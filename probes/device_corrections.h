#pragma once

#include <string>
#include <vector>

#include "probes/device.h"

namespace cuvier {

/// A fact of a device's file that should be another.
struct DeviceCorrection {
  std::string field;  ///< "max_warps_per_sm", "shared_configs[2]"
  int documented = 0;
  int value = 0;  ///< of a shared-memory configuration 0: it does not exist

  bool operator==(const DeviceCorrection&) const = default;
};

/// "max_warps_per_sm is 52 instead of 48"
std::string words_of(const DeviceCorrection& correction);

/// Whatever one fact may be instead, one field after the other, each with what is nearest first.
/// A map of GPCs or TPCs is none of these.
std::vector<DeviceCorrection> single_corrections(const Device& device);

Device corrected(Device device, const std::vector<DeviceCorrection>& corrections);

}  // namespace cuvier
