#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace cuvier {

/// Whether the process is gone, or dead and only not reaped by its new parent yet.
inline bool is_gone(pid_t pid) {
  if (::kill(pid, 0) != 0) return true;
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string id, name, state;
  stat >> id >> name >> state;
  return state.empty() || state == "Z";
}

/// Gives the kernel a moment to deliver a SIGKILL.
inline bool is_gone_soon(pid_t pid) {
  for (int i = 0; i < 200 && !is_gone(pid); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return is_gone(pid);
}

}  // namespace cuvier
