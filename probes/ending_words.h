#pragma once

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstring>
#include <string>

namespace cuvier {

/// Of a status from waitpid: "it exited with code 3", "it was killed by signal 11 (...)".
inline std::string ending_words(int status) {
  if (WIFEXITED(status)) return fmt::format("it exited with code {}", WEXITSTATUS(status));
  return fmt::format("it was killed by signal {} ({})", WTERMSIG(status),
                     ::strsignal(WTERMSIG(status)));
}

}  // namespace cuvier
