#pragma once

#include <chrono>
#include <string>

namespace cuvier {

bool stdout_is_terminal();

/// Lines on standard output, flushed as they come; on a terminal also a last line that
/// says what is being done, and is overwritten.
class Terminal {
 public:
  ~Terminal() { clear_status(); }

  void print(const std::string& lines);

  /// Shown on a terminal only, and not more often than an eye can follow.
  void status(const std::string& text);

 private:
  void clear_status();

  bool is_terminal_ = stdout_is_terminal();
  bool has_status_ = false;
  std::chrono::steady_clock::time_point next_status_;
};

}  // namespace cuvier
