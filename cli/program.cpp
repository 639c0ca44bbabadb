#include "cli/program.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace cuvier {
namespace {

bool can_be_run(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(path) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

bool is_installed(const std::string& program) {
  if (program.find('/') != std::string::npos) return can_be_run(program);
  const char* const folders = std::getenv("PATH");
  std::istringstream path(folders ? folders : "");
  for (std::string folder; std::getline(path, folder, ':');) {
    if (can_be_run(std::filesystem::path(folder) / program)) return true;
  }
  return false;
}

}  // namespace cuvier
