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

/// Runs the script of the shell in the folder.
inline Ended run_script(const samples::Folder& folder, const std::string& script) {
  folder.write("run.sh", script + '\n');
  const std::string command =
      "cd '" + folder.path("") + "' && /bin/sh run.sh >stdout.txt 2>stderr.txt </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout.txt"),
          folder.read("stderr.txt")};
}

/// Runs `cuvier ARGUMENTS` there, which may have redirections and pipes of their own.
inline Ended run_cuvier(const samples::Folder& folder, const std::string& arguments) {
  return run_script(folder, CUVIER_BINARY " " + arguments);
}

/// The same, to which the shell sends the signal once the condition holds: it says what it does.
inline Ended run_interrupted(const samples::Folder& folder, const std::string& arguments,
                             const std::string& until = "grep -q . stderr.txt",
                             const std::string& signal = "INT") {
  return run_script(folder, CUVIER_BINARY " " + arguments + " & for i in $(seq 1200); do " + until +
                                " 2>/dev/null && break; sleep 0.05; done; kill -" + signal +
                                " $!; wait $!");
}

/// An inference from the recordings of 10 probes, few of which only confirm: for whoever goes
/// through them many times.
inline Ended infer_of_few(const samples::Folder& folder, const std::string& name,
                          const std::string& oracle, const std::string& options) {
  run_cuvier(folder,
             "infer --oracle " + oracle + " --out " + name + "-asked --max-probes 10" + options);
  return run_cuvier(
      folder, "infer --oracle recording:" + name + "-asked/journal.jsonl --out " + name + options);
}

}  // namespace cuvier
