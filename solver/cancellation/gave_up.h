#pragma once

#include <stdexcept>

namespace cuvier {

/// A solver gave up. The message says on what.
class GaveUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cuvier
