#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/cancellation/task.h"

namespace cuvier {

/// How a child process ended, and what it wrote until then.
struct LimitedRun {
  bool was_late = false;   ///< it was killed at its time limit
  bool was_ended = false;  ///< it was killed since the task is to end
  int status = 0;          ///< of its end, as waitpid tells it
  std::string output;
};

/// Runs `body` in a fork of this process, which ends with it: nothing of ours is flushed or
/// destroyed there. What `body` writes to the descriptor that it is given comes back; standard
/// streams are /dev/null. The child is killed at the time limit, once the task
/// (asked ten times a second) is to end, and if we die. Throws Error where no process can be
/// started. No other thread may be inside Z3 meanwhile.
LimitedRun run_limited(const std::function<void(int output)>& body, double seconds,
                       const Task& task = {});

// For the body.

/// Limits how much more this process may map than it has now.
void limit_further_memory(int mib);

void write_all(int output, const std::string& text);

/// Becomes the program, a process group of its own, with `output` for both of its streams and
/// at most so much memory. Returns only where it cannot be run: errno says why.
void become_program(const std::vector<std::string>& command, int output, int memory_mib);

}  // namespace cuvier
