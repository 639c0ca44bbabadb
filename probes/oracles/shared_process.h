#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "probes/oracles/child_process.h"

namespace cuvier {

/// A process that is asked by several sessions at once, each in a thread of its own: whoever waits
/// for an answer reads for all.
class SharedProcess {
 public:
  using Clock = ChildProcess::Clock;
  using Outcome = ChildProcess::Outcome;

  SharedProcess(const std::string& command, std::function<bool()> interrupted)
      : child_(command, std::move(interrupted)) {}

  /// Sends a session's request, and waits for the line that answers it.
  Outcome exchange(int session, const std::string& request, std::string& answer,
                   std::size_t longest, Clock::time_point deadline);

  /// As of ChildProcess; of one that others read from, only that.
  std::string finish(std::chrono::milliseconds grace);
  /// Where nobody else asks it.
  ChildProcess& alone() { return child_; }

 private:
  ChildProcess child_;
  std::mutex writing_;
  std::mutex mutex_;  ///< of what is below
  std::condition_variable changed_;
  std::map<int, std::string> answers_;  ///< not taken yet, by session
  std::optional<Outcome> over_;         ///< nothing more is to be read
  int waiting_ = 0;                     ///< sessions
  bool is_read_ = false;
};

}  // namespace cuvier
