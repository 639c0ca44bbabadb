#include "cli/standard_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "probes/error.h"

namespace cuvier {
namespace {

int failure = 0;  ///< errno of the first that could not be written

}  // namespace

void expect_standard_output() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) failure = EBADF;
  int fd = ::open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = ::open("/dev/null", O_RDONLY);
  if (fd >= 0) ::close(fd);
  expect_all_printed();
}

void print(std::string_view text) {
  if (failure != 0) return;
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) failure = errno == 0 ? EIO : errno;
}

void complain(std::string_view message) {
  const std::string line = fmt::format("cuvier: {}\n", message);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void expect_all_printed() {
  if (failure == 0) return;
  throw Error(fmt::format("cannot write to standard output: {}", std::strerror(failure)));
}

}  // namespace cuvier
