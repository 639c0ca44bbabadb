#pragma once

#include <string>
#include <vector>

#include "probes/gpu/cuda_device.h"

namespace cuvier::gpu {

/// Which SMs belong together, and how that was found. Empty where nothing tells.
struct Topology {
  std::vector<int> gpc_of_sm;
  std::vector<int> tpc_of_sm;
  int max_cluster = 0;  ///< of those that were launched, where it is known which SMs share a GPC
  std::string gpc_evidence;
  std::string tpc_evidence;
};

/// Asks the device: by clusters where it has them (sm_90 and later), and by carve-out conflicts,
/// which must not show other TPCs. The device must be warm and idle.
Topology find_topology(CudaDevice& device, const Patience& patience);

}  // namespace cuvier::gpu
