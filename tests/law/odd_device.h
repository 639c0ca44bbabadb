#pragma once

#include <algorithm>

#include "probes/device.h"
#include "probes/rng.h"

namespace cuvier {

/// Any that the reader accepts: of one SM or one TPC, with few slots, with shared memory that one
/// block can take whole or with none, with one configuration.
inline Device odd_device(Rng& rng) {
  Device device;
  device.name = "odd";
  device.architecture = "sm_75";
  device.sms = pick(rng, {1, 1, 2, 2, 3, 5});
  device.sms_per_tpc = pick(rng, {1, 2, 2, 3});
  device.max_blocks_per_sm = pick(rng, {1, 2, 16, 24, 32});
  device.max_warps_per_sm = pick(rng, {8, 16, 32, 48, 64});
  device.max_threads_per_block = 32 * std::min(device.max_warps_per_sm, pick(rng, {1, 2, 4, 32}));
  device.max_registers_per_thread = pick(rng, {16, 32, 255});
  device.registers_per_sm = pick(rng, {4096, 8192, 65536, 65536});
  device.max_resident_kernels = pick(rng, {1, 4, 128});
  for (const int config : {0, 1024, 8192, 65536, 98304}) {
    if (uniform(rng, 0, 1) == 1) device.shared_configs.push_back(config);
  }
  if (device.shared_configs.empty()) device.shared_configs = {pick(rng, {0, 1024, 65536})};
  const int largest = device.largest_config();
  device.max_shared_per_block = std::max(0, largest - pick(rng, {0, 0, 1024, 1 << 20}));
  for (int sm = 0; sm < device.sms && device.sms_per_tpc == 2; ++sm) {
    device.gpc_of_sm.push_back(sm / 2 % 2);
  }
  device.max_cluster = pick(rng, {0, 1, 16});
  return device;
}

}  // namespace cuvier
