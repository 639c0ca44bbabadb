#pragma once

#include <stdexcept>
#include <string>

namespace cuvier {

/// Bad input or a hostile environment: something a user can mend. `what()` is
/// one line that names the place (file, line, field) and the remedy. Caught in
/// cli/ only, where `kind` becomes the exit code.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    input,   ///< usage, a file, a field: exit code 2
    oracle,  ///< an oracle died, babbled, hung or refused: exit code 3
  };

  explicit Error(const std::string& message, Kind kind = Kind::input)
      : std::runtime_error(message), kind_(kind) {}

  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace cuvier
