#include "probes/ending_words.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstring>

namespace cuvier {

std::string ending_words(int status) {
  if (WIFEXITED(status)) return fmt::format("it exited with code {}", WEXITSTATUS(status));
  return fmt::format("it was killed by signal {} ({})", WTERMSIG(status),
                     ::strsignal(WTERMSIG(status)));
}

}  // namespace cuvier
