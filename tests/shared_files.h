#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace cuvier {

/// A file of the shared folder beside the checkout (or where CUVIER_SHARED says):
/// other people's measurements, which tests read there and never copy.
inline std::optional<std::string> shared_file(const std::string& name) {
  const char* folder = std::getenv("CUVIER_SHARED");
  const std::filesystem::path root =
      folder ? std::filesystem::path(folder)
             : std::filesystem::path(CUVIER_SOURCE_DIR).parent_path() / "shared";
  const std::filesystem::path path = root / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path.string();
}

}  // namespace cuvier
