#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace cuvier::gpu {

/// Launches in order from a thread of its own. The driver may keep a launch waiting until
/// the device is idle, which it never is while our blocks wait at their gates; so the thread
/// that opens the gates must not be the one that launches.
class LaunchQueue {
 public:
  LaunchQueue();
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  void push(std::function<void()> launch);

  /// Whether every launch has returned. Rethrows what one of them threw.
  bool empty();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  bool busy_ = false;
  bool over_ = false;
  std::exception_ptr thrown_;
  std::thread thread_;
};

}  // namespace cuvier::gpu
