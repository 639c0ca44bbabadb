#pragma once

#include <iosfwd>
#include <string>

#include "probes/gpu/cuda_device.h"

namespace cuvier::gpu {

// What a runner does beside sessions: a file for each.

/// Which SMs belong together, and how that was found.
struct Topology {
  Device device;  ///< with GPCs and TPCs, none where nothing tells, and the largest clusters, of
                  ///< those that were launched, where it is known which SMs share a GPC
  std::string gpc_evidence;
  std::string tpc_evidence;
};

/// Asks the device: by clusters where it has them (sm_90 and later), and by carve-out conflicts,
/// which must not show other TPCs. The device must be warm and idle, its facts without groups yet.
Topology find_topology(CudaDevice& device, const Patience& patience);

/// Tries what a session relies on and prints a JSON object a line as it goes, each with its `ok`:
/// what tells most first. True if all is well.
bool self_test(CudaDevice& device, std::ostream& out);

}  // namespace cuvier::gpu
