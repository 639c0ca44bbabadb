#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/samples.h"

namespace cuvier {

struct Printed {
  int code = 0;
  std::string text;
};

/// What the shell makes of this command.
inline Printed shell(const samples::Folder& folder, const std::string& command) {
  const std::string path = folder.path("printed");
  const int status = std::system(("( " + command + " ) >" + path + " 2>&1").c_str());
  std::ifstream file(path);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          std::string(std::istreambuf_iterator<char>(file), {})};
}

}  // namespace cuvier
