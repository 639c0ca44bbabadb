#pragma once

#include <chrono>
#include <cstdlib>
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

/// Ends the process soon after nobody can read its standard output any more: whoever asked is
/// gone, and a GPU is not to be kept busy for nobody. Its input's end is seen where it is read.
void end_without_reader();

/// So many seconds as the environment's variable of this name says, else the usual ones.
inline std::chrono::seconds time_limit(const char* name, std::chrono::seconds usual) {
  const char* text = std::getenv(name);
  const int seconds = text == nullptr ? 0 : std::atoi(text);
  return seconds > 0 ? std::chrono::seconds(seconds) : usual;
}

}  // namespace cuvier::gpu
