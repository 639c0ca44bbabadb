#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace cuvier {

/// A shell command whose standard input and output are ours, line by line. It leads a
/// process group of its own, so that what it starts dies with it; its standard error is
/// ours. Nothing here waits beyond the time it is given.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Outcome {
    done,
    closed,    ///< the other end is gone
    late,      ///< the deadline passed
    ended,     ///< it was not to be waited for any more
    too_long,  ///< the line exceeds the limit
  };

  /// `interrupted` is asked ten times a second while we wait. Throws Error(Kind::oracle) if no
  /// process can be started.
  explicit ChildProcess(const std::string& command, std::function<bool()> interrupted = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  Outcome write_line(const std::string& line, Clock::time_point deadline);

  /// The next whole line, without its newline. What came after it stays for the next call.
  Outcome read_line(std::string& line, std::size_t longest, Clock::time_point deadline);

  /// Whether bytes of an unfinished line have arrived.
  bool has_partial_line() const { return !buffer_.empty(); }

  bool has_exited() const;

  /// Closes its input, waits this long for it to exit, then kills its group and reaps it.
  /// Says how it ended: "it exited with code 3", "it was killed by signal 11".
  std::string finish(std::chrono::milliseconds grace);

 private:
  void wait_for_exit(Clock::time_point deadline) const;
  Outcome wait_ready(int fd, short events, Clock::time_point deadline) const;

  std::function<bool()> interrupted_;
  pid_t pid_ = -1;  ///< -1: reaped
  int input_ = -1;
  int output_ = -1;
  std::string buffer_;        ///< read, but not yet a line
  std::size_t searched_ = 0;  ///< of the buffer: holds no newline
};

}  // namespace cuvier
