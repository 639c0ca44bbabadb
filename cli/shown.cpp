#include "cli/shown.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "reports/document/page_text.h"

namespace cuvier {

std::string shown(const Page& page) {
  winsize size{};
  const bool has_width =
      ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return page_text(page, has_width ? size.ws_col : 0);
}

}  // namespace cuvier
