#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "probes/gpu/exit_codes.h"

namespace cuvier::gpu {

/// What ends a request: the oracle protocol's error codes.
enum class FailureCode { invalid_probe, unsupported, timeout, device_lost, internal };

constexpr std::string_view name_of(FailureCode code) {
  switch (code) {
    case FailureCode::invalid_probe:
      return "invalid_probe";
    case FailureCode::unsupported:
      return "unsupported";
    case FailureCode::timeout:
      return "timeout";
    case FailureCode::device_lost:
      return "device_lost";
    case FailureCode::internal:
      break;
  }
  return "internal";
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
