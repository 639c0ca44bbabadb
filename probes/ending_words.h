#pragma once

#include <string>

namespace cuvier {

/// Of a status from waitpid: "it exited with code 3", "it was killed by signal 11 (...)".
std::string ending_words(int status);

}  // namespace cuvier
