#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/standard_output.h"

namespace cuvier {
namespace {

std::size_t terminal_width() {
  winsize size{};
  constexpr std::size_t usual = 80;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

}  // namespace

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

void Terminal::print(const std::string& lines) {
  clear_status();
  cuvier::print(lines);
}

void Terminal::status(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || now < next_status_) return;
  next_status_ = now + std::chrono::milliseconds(100);
  cuvier::print("\r\033[K" + text.substr(0, terminal_width() - 1));
  has_status_ = true;
}

void Terminal::clear_status() {
  if (has_status_) cuvier::print("\r\033[K");
  has_status_ = false;
  next_status_ = {};
}

}  // namespace cuvier
