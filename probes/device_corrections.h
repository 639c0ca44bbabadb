#pragma once

#include <string>
#include <vector>

#include "probes/device.h"

namespace cuvier {

/// A fact of a device's file that should be another.
struct DeviceCorrection {
  std::string field;  ///< "max_warps_per_sm", "shared_configs[2]"
  int documented = 0;
  /// Of a shared-memory configuration 0: it does not exist. Of "tpc_of_sm" how far the two SMs of a
  /// TPC are from each other.
  int value = 0;

  bool operator==(const DeviceCorrection&) const = default;
};

/// "max_warps_per_sm is 52 instead of 48"
std::string words_of(const DeviceCorrection& correction);

/// Whatever one fact may be instead, one field after the other, each with what is nearest first.
/// Of maps of TPCs only the most regular are among these, and no map of GPCs.
std::vector<DeviceCorrection> single_corrections(const Device& device);

Device corrected(Device device, const std::vector<DeviceCorrection>& corrections);

}  // namespace cuvier
