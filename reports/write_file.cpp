#include "reports/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "probes/error.h"

namespace cuvier {

void write_file(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".tmp";
  errno = 0;
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(unfinished, path, error);
  if (!file || error) {
    throw Error(fmt::format("{}: cannot be written: {}; make room or name another folder", path,
                            error ? error.message() : std::strerror(errno)));
  }
}

}  // namespace cuvier
