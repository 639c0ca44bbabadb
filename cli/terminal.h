#pragma once

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/process.h"
#include "reports/document/json_text.h"
#include "reports/document/page.h"
#include "solver/cancellation/time_left.h"

namespace cuvier {

/// Lines on standard output, flushed as they come; and on standard error what is being done: on a
/// terminal a last line that is overwritten, elsewhere a line every few seconds.
class Terminal {
 public:
  Terminal();
  ~Terminal() { clear_status(); }

  void print(const std::string& lines);
  template <class First, class... Rest>
  void print(fmt::format_string<First, Rest...> words, First&& first, Rest&&... rest) {
    print(fmt::format(words, std::forward<First>(first), std::forward<Rest>(rest)...));
  }
  void print_json(const nlohmann::ordered_json& json, int indent = -1) {
    print(json_text(json, indent) + '\n');
  }

  /// A result: for programs where `as_json`, else for people.
  void tell(bool as_json, const nlohmann::ordered_json& json, const Page& page, int indent = -1);

  /// From here on no progress is told.
  void be_quiet() { quiet_ = true; }

  /// A line of progress that stays.
  void progress(const std::string& line) {
    if (!quiet_) print(line + '\n');
  }

  /// The same on standard error, beside a result for programs. Any thread may tell it.
  void aside(const std::string& line);

  /// What is being done, with how long that will take still where it is known. Any thread may tell
  /// it. Nothing before two seconds have passed, and not more often than an eye can follow.
  void status(const Doing& doing);

  /// Long work: shows what it does, and ends it once Ctrl-C was pressed or so many seconds are
  /// spent (0: any number). The terminal must outlive it.
  Task task(double time_limit_s = 0);

 private:
  using Clock = std::chrono::steady_clock;

  void clear_status();

  std::mutex telling_;
  bool quiet_ = false;
  const bool overwrites_;
  const Clock::time_point start_;
  Clock::time_point next_status_;
  TimeLeft time_left_;
  bool has_status_ = false;
};

/// As text for standard output: as wide as the terminal where it is one, else lines stay whole.
std::string shown(const Page& page);

}  // namespace cuvier
