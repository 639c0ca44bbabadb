#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "probes/named.h"

namespace cuvier::gpu {

// How cuvier-gpu ends. Each way in which there is no GPU to ask has a code of its own, so that
// a script, or somebody with only a log, knows what to mend.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed_test = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_lost = 3;            ///< the device was lost, or something unforeseen
inline constexpr int exit_no_device = 4;       ///< no GPU, or no driver at all
inline constexpr int exit_driver_too_old = 5;  ///< or of another version than its own parts
inline constexpr int exit_not_ready = 6;       ///< the fabric manager has not finished
inline constexpr int exit_no_permission = 7;
inline constexpr int exit_busy = 8;  ///< another process, ours or not, has the GPU
inline constexpr int exit_hung = 9;  ///< a call did not return: the watchdog

/// What ends a request: the oracle protocol's error codes.
enum class FailureCode { invalid_probe, unsupported, timeout, device_lost, internal };

constexpr std::string_view name_of(FailureCode code) {
  return named(code, {"invalid_probe", "unsupported", "timeout", "device_lost", "internal"});
}

class Failure : public std::runtime_error {
 public:
  /// `exit_code`: of the process, if this is what it ends with.
  Failure(FailureCode code, const std::string& message, int exit_code = exit_lost)
      : std::runtime_error(message), code_(code), exit_code_(exit_code) {}
  FailureCode code() const { return code_; }
  int exit_code() const { return exit_code_; }

  /// Whether something of the probe ran: what outlives a probe is not as it was before.
  bool ran() const { return ran_; }
  void say_that_it_ran() { ran_ = true; }

 private:
  FailureCode code_;
  int exit_code_;
  bool ran_ = false;
};

}  // namespace cuvier::gpu
