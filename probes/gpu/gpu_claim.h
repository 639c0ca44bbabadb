#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "probes/device.h"

namespace cuvier::gpu {

/// One cuvier-gpu at a time on a GPU: two contexts take turns on it, and each spoils what the
/// other sees. Held by a lock on a file in the folder for temporary files, which also keeps
/// which SMs were found to belong together, so that a runner that is started again need not ask.
class GpuClaim {
 public:
  /// A runner that was killed goes once its driver has taken from the GPU what it left there.
  static constexpr std::chrono::seconds usual_patience{30};

  /// `gpu` tells GPUs of this machine apart (its bus id). Waits so long for a runner that is
  /// about to end; Failure(exit_busy) names the file that it keeps locked. Where the file cannot
  /// be made, says so on standard error and claims nothing.
  explicit GpuClaim(const std::string& gpu, std::chrono::milliseconds patience = usual_patience);
  ~GpuClaim();
  GpuClaim(const GpuClaim&) = delete;
  GpuClaim& operator=(const GpuClaim&) = delete;

  /// The device, without groups of SMs yet, with those that were kept of the GPU with this UUID, if
  /// that can be true of it. (Another GPU may have been here before.)
  std::optional<Device> kept(const std::string& uuid, const Device& device) const;
  void keep(const std::string& uuid, const Device& device) const;

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace cuvier::gpu
