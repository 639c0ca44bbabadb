#pragma once

#include <functional>
#include <string>

namespace cuvier {

/// Thrown by a function that is told of progress, to end what it is told of: check(), audit() and
/// minimise_between() then return what they know so far.
struct CutShort {
  std::string why;  ///< "interrupted"
};

/// Whether such a function has what it is told of go on, for where nothing may be thrown.
inline std::function<bool()> asked_whether_to_go_on(
    const std::function<void(const std::string&)>& doing, std::string what) {
  if (!doing) return {};
  return [&doing, what = std::move(what)] {
    try {
      doing(what);
      return true;
    } catch (const CutShort&) {
      return false;
    }
  };
}

}  // namespace cuvier
