#include "cli/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "probes/error.h"

namespace cuvier {

std::string new_temporary_folder(const std::string& name) {
  std::error_code error;
  const auto place = std::filesystem::temp_directory_path(error);
  std::string folder = (place / fmt::format("cuvier-{}-XXXXXX", name)).string();
  if (error || ::mkdtemp(folder.data()) == nullptr) {
    throw Error(fmt::format("no temporary folder can be made in {}: {}; name one with --out",
                            place.string(), error ? error.message() : std::strerror(errno)));
  }
  return folder;
}

}  // namespace cuvier
