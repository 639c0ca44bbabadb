#pragma once

#include <chrono>
#include <list>
#include <string>

namespace cuvier::gpu {

/// Nothing in CUDA takes a time limit, and a driver that waits for a device does so for ever.
/// Calls that may block are therefore watched: one that makes no progress for too long ends the
/// process (exit_hung), which is all that helps, and says what it was. Safe from every thread.
class Watch {
 public:
  struct Call {
    std::string doing;
    std::chrono::steady_clock::time_point since;
  };

  /// Longer than a probe with the wait for an idle device after it.
  static constexpr std::chrono::seconds usual_limit{30};
  /// Of all watches.
  static void set_limit(std::chrono::seconds limit);

  /// While it lives, `doing` ("create a stream") is under way.
  explicit Watch(std::string doing);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  std::list<Call>::iterator call_;
};

/// Ends the process soon after nobody can read its standard output any more: whoever asked is
/// gone, and a GPU is not to be kept busy for nobody. Its input's end is seen where it is read.
void end_without_reader();

/// So many seconds as the environment's variable of this name says, else the usual ones. Throws
/// Error where it says anything but a number from `least` on.
std::chrono::seconds time_limit(const std::string& name, int least, std::chrono::seconds usual);

}  // namespace cuvier::gpu
