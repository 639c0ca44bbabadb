#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "cli/process.h"
#include "reports/document/page.h"

namespace cuvier {
namespace {

using namespace std::chrono_literals;

constexpr auto first_line_after = 2s;
constexpr auto between_lines = 5s;
constexpr auto between_looks = 100ms;

std::size_t terminal_width() {
  winsize size{};
  constexpr std::size_t usual = 80;
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

void write(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

Terminal::Terminal()
    : overwrites_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_status_(overwrites_ ? start_ : start_ + first_line_after) {}

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

void Terminal::status(const std::string& text) {
  const std::lock_guard lock(telling_);
  const auto now = Clock::now();
  if (quiet_ || now < next_status_) return;
  if (overwrites_) {
    write("\r\033[K" + text.substr(0, terminal_width() - 1));
    next_status_ = now + between_looks;
    has_status_ = true;
  } else {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
    write(fmt::format("{} s: {}\n", seconds, text));
    next_status_ = now + between_lines;
  }
}

void Terminal::tell(bool as_json, const nlohmann::ordered_json& json, const Page& page) {
  print(as_json ? json.dump() + '\n' : shown(page));
}

Task Terminal::task(double time_limit_s) {
  end_on_interrupt();
  return Task([this, time_limit_s, start = Clock::now()](const std::string& doing) -> std::string {
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
  next_status_ = {};
}

std::string shown(const Page& page) {
  winsize size{};
  const bool has_width =
      ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return page_text(page, has_width ? size.ws_col : 0);
}

}  // namespace cuvier
