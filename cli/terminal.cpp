#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace cuvier {
namespace {

std::size_t terminal_width() {
  winsize size{};
  constexpr std::size_t usual = 80;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

void write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

void Terminal::print(const std::string& lines) {
  clear_status();
  write(lines);
}

void Terminal::status(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || now < next_status_) return;
  next_status_ = now + std::chrono::milliseconds(100);
  write("\r\033[K" + text.substr(0, terminal_width() - 1));
  has_status_ = true;
}

void Terminal::clear_status() {
  if (has_status_) write("\r\033[K");
  has_status_ = false;
  next_status_ = {};
}

}  // namespace cuvier
