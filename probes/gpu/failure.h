#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

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
  Failure(FailureCode code, const std::string& message)
      : std::runtime_error(message), code_(code) {}
  FailureCode code() const { return code_; }

 private:
  FailureCode code_;
};

}  // namespace cuvier::gpu
