#pragma once

#include <chrono>
#include <list>
#include <mutex>
#include <string>

namespace cuvier::gpu {

/// Nothing in CUDA takes a time limit, and a driver that waits for a device does so for ever.
/// Calls that may block are therefore watched: one that makes no progress for too long ends the
/// process (exit_hung), which is all that helps, and says what it was. Safe from every thread.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  /// The one of this process. Its limit is CUVIER_GPU_WATCHDOG_S seconds, 30 if that is unset:
  /// longer than a probe with the wait for an idle device after it.
  static Watchdog& get();

  /// While it lives, `doing` ("create a stream") is under way.
  class Watch {
   public:
    explicit Watch(std::string doing);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    std::list<std::pair<std::string, Clock::time_point>>::iterator entry_;
  };

 private:
  Watchdog();
  void look();

  std::chrono::seconds limit_;
  std::mutex mutex_;
  std::list<std::pair<std::string, Clock::time_point>> under_way_;  ///< what, since when
};

}  // namespace cuvier::gpu
