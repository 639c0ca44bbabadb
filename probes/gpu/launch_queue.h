#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace cuvier::gpu {

/// Launches in order from a thread of its own. The driver may keep a launch waiting until
/// the device is idle, which it never is while our blocks wait at their gates; so the thread
/// that opens the gates must not be the one that launches.
class LaunchQueue {
 public:
  using Clock = std::chrono::steady_clock;

  LaunchQueue();
  /// Waits for nothing: a launch that never returns must not keep the process from exiting.
  /// What it works on must therefore be its own copy.
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  void push(std::function<void()> launch);

  /// When the latest launch returned, if all have. Rethrows what one of them threw.
  std::optional<Clock::time_point> returned_at();

  /// How long the driver has had the launch that it has not returned from, from the first time that
  /// this is asked; 0 if there is none. What threads of ours waited for a processor is taken off,
  /// for they may wait for each other: a busy machine is no driver that waits.
  Clock::duration held_for();

  /// How long each launch since the last call took to return.
  std::vector<Clock::duration> take_durations();

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state);

  /// A call that has not returned when it was first looked at.
  struct Held {
    int call = 0;
    Clock::time_point since;
    std::chrono::nanoseconds without_processor{};  ///< threads of ours, until then
  };

  std::shared_ptr<State> state_;
  Held held_;
};

}  // namespace cuvier::gpu
