#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/samples.h"

namespace cuvier {

struct Printed {
  int code = 0;
  std::string text;
};

/// What the shell makes of this command in the folder.
inline Printed shell(const samples::Folder& folder, const std::string& command) {
  const int status =
      std::system(("cd '" + folder.path("") + "' && ( " + command + " ) >printed 2>&1").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("printed")};
}

}  // namespace cuvier
