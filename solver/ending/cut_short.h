#pragma once

#include <string>

namespace cuvier {

/// Thrown by a function that is told of progress, to end what it is told of: check() and audit()
/// then return what they know so far.
struct CutShort {
  std::string why;  ///< "interrupted"
};

}  // namespace cuvier
