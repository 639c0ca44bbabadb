#include "cli/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <boost/algorithm/string/replace.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "probes/an_error.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

volatile std::sig_atomic_t asked_to_end = 0;

int failure = 0;  ///< errno of the first that could not be written

bool can_be_run(const std::filesystem::path& path) {
  std::error_code not_seen;  // as below a folder of another user's
  return std::filesystem::is_regular_file(path, not_seen) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

void end_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { asked_to_end = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  if (asked_to_end != 0) return;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

bool interrupted() { return asked_to_end != 0; }

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
  const std::string line = fmt::format("cuvier: {}\n", without_controls(message, false));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void expect_all_printed() {
  if (failure == 0) return;
  throw an_error("cannot write to standard output: {}", std::strerror(failure));
}

bool is_installed(const std::string& program) {
  if (program.find('/') != std::string::npos) return can_be_run(program);
  const char* const folders = std::getenv("PATH");
  std::istringstream path(folders ? folders : "");
  for (std::string folder; std::getline(path, folder, ':');) {
    if (can_be_run(std::filesystem::path(folder) / program)) return true;
  }
  return false;
}

std::string in_shell_quotes(const std::string& text) {
  return "'" + boost::replace_all_copy(text, "'", "'\\''") + "'";
}

std::string output_of(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += in_shell_quotes(word) + ' ';
  std::FILE* const pipe = ::popen(command.c_str(), "re");
  if (pipe == nullptr) throw an_error("{}: {}", words[0], std::strerror(errno));
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  if (::pclose(pipe) == 0) return text;
  throw an_error("{} failed: {}", words[0], command);
}

}  // namespace cuvier
