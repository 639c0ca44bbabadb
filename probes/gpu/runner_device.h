#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "probes/probe.h"

namespace cuvier::gpu {

using Clock = std::chrono::steady_clock;

struct BlockStart {
  int kernel = 0;  ///< index into Probe::kernels
  int block = 0;
  int sm = 0;
  std::vector<int> warp_slot;  ///< of each warp
  std::int64_t start_ns = 0;   ///< device time, from any origin
};

struct BlockExit {
  int kernel = 0;
  int block = 0;
  bool by_fail_safe = false;  ///< not released: its gate stayed shut too long
};

/// What the host saw since it last looked.
struct Events {
  std::vector<BlockStart> started;
  std::vector<BlockExit> left;
};

/// Gated blocks on a GPU, or on what stands in for one in the tests. Knows nothing of the
/// protocol, of settling or of what is resident. One probe at a time: begin, launch and
/// release, open_all, idle. Throws Failure.
class RunnerDevice {
 public:
  virtual ~RunnerDevice() = default;

  virtual const Device& facts() const = 0;

  /// The optional channels that work here: of warp_slot, start_ns, shared_config.
  virtual std::vector<std::string> channels() const = 0;

  /// The smallest block that there is: one warp, and of local memory what the device has been
  /// set up for so far. How many of them is for the caller to say.
  virtual Kernel smallest_block() const = 0;

  /// Prepares an idle device for a probe that is legal on it. Nothing is lazy afterwards.
  virtual void begin(const Probe& probe) = 0;

  /// Hands a kernel to the driver; returns at once, even where the driver would not.
  virtual void launch(int kernel) = 0;

  /// When the driver had taken the latest launch; nothing while it sits on one.
  virtual std::optional<Clock::time_point> submitted_at() = 0;

  /// How long the driver has sat on it; 0 if it does not.
  virtual Clock::duration held_for() = 0;

  /// Opens the gates of these blocks, all of them resident, at one time.
  virtual void release(const std::vector<Release>& releases) = 0;

  virtual Events poll() = 0;

  /// Opens every gate of the probe, also for blocks that start later.
  virtual void open_all() = 0;

  /// Whether nothing of the probe runs or waits any more.
  virtual bool idle() = 0;

  /// Of the probe that has just become idle: kernel index -> bytes. Empty without the channel.
  virtual std::map<int, int> shared_configs() = 0;

  virtual Clock::time_point now() = 0;
  virtual void pause() = 0;  ///< between two polls
};

}  // namespace cuvier::gpu
