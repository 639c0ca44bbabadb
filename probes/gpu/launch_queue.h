#pragma once

#include <functional>
#include <memory>

namespace cuvier::gpu {

/// Launches in order from a thread of its own. The driver may keep a launch waiting until
/// the device is idle, which it never is while our blocks wait at their gates; so the thread
/// that opens the gates must not be the one that launches.
class LaunchQueue {
 public:
  LaunchQueue();
  /// Waits for nothing: a launch that never returns must not keep the process from exiting.
  /// What it works on must therefore be its own copy.
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  void push(std::function<void()> launch);

  /// Whether every launch has returned. Rethrows what one of them threw.
  bool empty();

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;
};

}  // namespace cuvier::gpu
