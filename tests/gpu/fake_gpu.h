#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "hypotheses/prediction.h"
#include "probes/gpu/gate.h"

namespace cuvier::gpu {

/// What a launch hands to the device.
struct FakeLaunch {
  Kernel kernel;  ///< without name and stream
  const void* stream = nullptr;
  GateArguments gate{};
};

/// Gated blocks in a thread of their own: placed where a simulated scheduler puts them, seen by
/// the host through nothing but the memory of the gates. A launch places before it returns, and
/// what a release lets in has reported before those it let go have: so nothing here depends on
/// how quickly the host's threads get their turn.
class FakeGpu {
 public:
  FakeGpu(const Device& device, const Hypothesis& mechanism);

  const Device& device() const { return simulator_.device(); }

  /// Like the driver, keeps a launch with the largest frame yet until the device is idle.
  void launch(FakeLaunch launch);

  bool idle(const void* stream);

 private:
  void act(const Action& action);
  void watch_gates();
  void let_go(const std::map<int, std::vector<int>>& opened);

  std::mutex mutex_;
  std::condition_variable became_idle_;
  Simulator simulator_;
  Probe probe_;                                ///< since the device was idle, as a probe
  std::vector<FakeLaunch> launches_;           ///< by kernel of the probe
  std::vector<int> unfinished_;                ///< by kernel: blocks
  std::vector<std::pair<int, int>> resident_;  ///< kernel, block
  int largest_frame_ = 0;
  std::uint64_t clock_ns_ = 0;
};

}  // namespace cuvier::gpu
