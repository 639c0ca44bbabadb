#pragma once

#include <chrono>
#include <cstdlib>

namespace cuvier::gpu {

/// So many seconds as the environment's variable of this name says, else the usual ones.
inline std::chrono::seconds time_limit(const char* name, std::chrono::seconds usual) {
  const char* text = std::getenv(name);
  const int seconds = text == nullptr ? 0 : std::atoi(text);
  return seconds > 0 ? std::chrono::seconds(seconds) : usual;
}

}  // namespace cuvier::gpu
