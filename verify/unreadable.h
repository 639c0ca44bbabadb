#pragma once

#include <stdexcept>

namespace cuvier::verify {

/// A file that does not say what it should: its name, the place in it, and what is wrong there.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace cuvier::verify
