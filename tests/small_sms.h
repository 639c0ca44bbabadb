#pragma once

#include <string>
#include <utility>

#include "probes/device_json.h"
#include "tests/samples.h"

namespace cuvier {

/// With SMs that few blocks fill: what tells hypotheses apart is soon found there, and soon made
/// small.
inline Device with_small_sms(Device device) {
  device.max_blocks_per_sm = 6;
  device.max_warps_per_sm = 12;
  device.max_threads_per_block = 256;
  device.registers_per_sm = 16384;
  device.shared_configs = {0, 8192, 16384};
  device.max_shared_per_block = 15360;
  return device;
}

/// The sample device with so many of them, as a file.
inline std::string small_sms_text(int sms) {
  Device device = with_small_sms(samples::device());
  device.sms = sms;
  return to_json(device).dump();
}

}  // namespace cuvier
