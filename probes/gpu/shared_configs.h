#pragma once

#include <iosfwd>
#include <string>

#include "probes/gpu/run_probe.h"

namespace cuvier::gpu {

/// Runs the probes of a file of recordings, each once, and writes a file of recordings that tell
/// of each only which shared-memory configuration the driver chose for its kernels. The device
/// must have been opened with CUPTI (CudaOptions::activity), which instruments kernels: where
/// their blocks went is not even looked at. `source` says who tells. Throws Error where the file
/// cannot be read, Failure where the device is lost; a probe that cannot be run here is left out,
/// with a word on `log`.
void write_shared_configs(RunnerDevice& device, const std::string& source, const std::string& path,
                          const Patience& patience, std::ostream& out, std::ostream& log);

}  // namespace cuvier::gpu
