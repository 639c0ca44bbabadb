#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/process.h"
#include "reports/document/json_text.h"
#include "reports/document/page.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

using namespace std::chrono_literals;

constexpr auto first_after = 2s;
constexpr auto between_lines = 5s;
constexpr auto between_looks = 100ms;

std::size_t terminal_width() {
  winsize size{};
  constexpr std::size_t usual = 80;
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

/// Whether standard error is a terminal that can take a line back.
bool can_overwrite() {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (!terminal || std::string_view(terminal) != "dumb");
}

void write(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

Terminal::Terminal()
    : overwrites_(can_overwrite()), start_(Clock::now()), next_status_(start_ + first_after) {}

void Terminal::print(const std::string& lines) {
  clear_status();
  cuvier::print(lines);
}

void Terminal::aside(const std::string& line) {
  const std::lock_guard lock(telling_);
  if (quiet_) return;
  clear_status();
  write(line + '\n');
}

void Terminal::status(const Doing& doing) {
  const std::lock_guard lock(telling_);
  const auto now = Clock::now();
  const std::chrono::duration<double> running = now - start_;
  const auto left = time_left_.at(running.count(), doing);
  if (quiet_ || doing.what.empty() || now < next_status_) return;
  std::string text = doing.what;
  if (left) {
    text += fmt::format(", {} {} left", doing.at_most ? "at most" : "about", roughly(*left));
  }
  if (overwrites_) {
    write("\r\033[K" + text.substr(0, terminal_width() - 1));
    next_status_ = now + between_looks;
    has_status_ = true;
  } else {
    write(fmt::format("{:.0f} s: {}\n", std::floor(running.count()), text));
    next_status_ = now + between_lines;
  }
}

void Terminal::tell(bool as_json, const nlohmann::ordered_json& json, const Page& page,
                    int indent) {
  print(as_json ? json_text(json, indent) + '\n' : shown(page));
}

Task Terminal::task(double time_limit_s) {
  end_on_interrupt();
  return Task([this, time_limit_s, start = Clock::now()](const Doing& doing) -> std::string {
    if (interrupted()) return "interrupted";
    const std::chrono::duration<double> spent = Clock::now() - start;
    if (time_limit_s > 0 && spent.count() >= time_limit_s) {
      return fmt::format("the {} s allowed are spent", time_limit_s);
    }
    status(doing);
    return "";
  });
}

void Terminal::clear_status() {
  if (!has_status_) return;
  write("\r\033[K");
  has_status_ = false;
  next_status_ = start_ + first_after;
}

std::string shown(const Page& page) {
  winsize size{};
  const bool has_width =
      ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return page_text(page, has_width ? size.ws_col : 0);
}

}  // namespace cuvier
