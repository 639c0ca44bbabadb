#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/samples.h"

namespace cuvier {

// Exit codes.
inline constexpr int confirmed = 0;
inline constexpr int bad_input = 2;
inline constexpr int oracle_failed = 3;
inline constexpr int ambiguous = 10;
inline constexpr int refuted = 11;
inline constexpr int undecided = 12;

/// The paper's cases.
inline const std::string table2 = CUVIER_SOURCE_DIR "/corpus/table2.jsonl";

/// How a run of the program ended, and what it said.
struct Ended {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// Runs `cuvier ARGUMENTS`, which the shell splits, in the folder.
inline Ended run_cuvier(const samples::Folder& folder, const std::string& arguments) {
  const std::string command = "cd '" + folder.path("") + "' && " CUVIER_BINARY " " + arguments +
                              " >stdout.txt 2>stderr.txt </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout.txt"),
          folder.read("stderr.txt")};
}

/// The same where the arguments have redirections and pipes of their own.
inline Ended run_in_shell(const samples::Folder& folder, const std::string& arguments) {
  folder.write("run.sh", CUVIER_BINARY " " + arguments + '\n');
  const std::string command =
      "cd '" + folder.path("") + "' && sh run.sh >stdout.txt 2>stderr.txt </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout.txt"),
          folder.read("stderr.txt")};
}

/// The same, in which the shell presses Ctrl-C once it says what it does.
inline Ended run_interrupted(const samples::Folder& folder, const std::string& arguments) {
  folder.write("interrupt.sh", CUVIER_BINARY " " + arguments +
                                   " & for i in $(seq 600); do grep -q . stderr.txt && break; "
                                   "sleep 0.1; done; kill -INT $!; wait $!");
  const std::string command =
      "cd '" + folder.path("") + "' && bash interrupt.sh >stdout.txt 2>stderr.txt </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout.txt"),
          folder.read("stderr.txt")};
}

}  // namespace cuvier
