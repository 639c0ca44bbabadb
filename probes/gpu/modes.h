#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "probes/gpu/cuda_device.h"

namespace cuvier::gpu {

// What a runner does beside sessions: a file for each.

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

/// Tries what a session relies on and prints a JSON object a line as it goes, each with its `ok`:
/// what tells most first. True if all is well.
bool self_test(CudaDevice& device, std::ostream& out);

/// Runs the probes of a file of recordings, each once, and writes a file of recordings that tell
/// of each only which shared-memory configuration the driver chose for its kernels. The device
/// must have been opened with CUPTI (CudaOptions::activity), which instruments kernels: where
/// their blocks went is not even looked at. Throws Error where the file cannot be read, Failure
/// where the device is lost; a probe that cannot be run is left out, with a word on `log`.
void write_shared_configs(CudaDevice& device, const std::string& path, const Patience& patience,
                          std::ostream& out, std::ostream& log);

}  // namespace cuvier::gpu
