#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace cuvier {

/// A shell command whose standard input and output are ours, line by line. It leads a
/// process group of its own, so that what it starts dies with it; its standard error is
/// ours. Several sessions may ask it at once, each in a thread of its own. Nothing here waits
/// beyond the time it is given.
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

  /// Sends the line, once nobody else is sending one.
  Outcome write_line(const std::string& line, Clock::time_point deadline);

  /// Sends a session's request, and waits for the line that answers it: whoever waits reads for
  /// all.
  Outcome exchange(int session, const std::string& request, std::string& answer,
                   std::size_t longest, Clock::time_point deadline);

  /// Whether bytes of a line have arrived whose rest nobody waits for.
  bool has_partial_line() const;

  bool has_exited() const;

  /// Closes its input, waits this long for it to exit, then kills its group and reaps it.
  /// Says how it ended, the same each time: "it exited with code 3", "it was killed by signal 11".
  std::string finish(std::chrono::milliseconds grace);

 private:
  bool exited() const;
  void wait_for_exit(Clock::time_point deadline) const;
  Outcome wait_ready(int fd, short events, Clock::time_point deadline) const;
  Outcome write_bytes(const std::string& bytes, Clock::time_point deadline) const;
  Outcome read_line(std::string& line, std::size_t longest, Clock::time_point deadline);

  std::function<bool()> interrupted_;
  mutable std::mutex mutex_;  ///< of all below; but whoever writes or reads does so without it
  std::condition_variable changed_;
  bool is_written_ = false;  ///< somebody has `input_`
  bool is_read_ = false;     ///< somebody has `output_` and the buffer
  pid_t pid_ = -1;           ///< -1: reaped
  int input_ = -1;
  int output_ = -1;
  std::string buffer_;                  ///< read, but not yet a line
  std::size_t searched_ = 0;            ///< of the buffer: holds no newline
  std::map<int, std::string> answers_;  ///< not taken yet, by session
  std::optional<Outcome> over_;         ///< nothing more is to be read
  int waiting_ = 0;                     ///< sessions
  std::string ending_;                  ///< once it is reaped
};

}  // namespace cuvier
