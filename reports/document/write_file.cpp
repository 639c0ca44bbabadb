#include "reports/document/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "probes/error.h"

namespace cuvier {

namespace {

/// Where a file is written before it takes its place. A device or a pipe is no place to take.
std::string unfinished(const std::string& path) {
  std::error_code none;
  const bool in_place = std::filesystem::is_other(path, none);
  return in_place ? path : path + ".tmp";
}

void remove_unfinished(const std::string& path) {
  std::error_code ignored;
  if (unfinished(path) != path) std::filesystem::remove(unfinished(path), ignored);
}

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(
      fmt::format("{}: cannot be written: {}; make room or name another folder", path, why));
}

}  // namespace

void expect_writable(const std::string& path) {
  errno = 0;
  if (std::filesystem::is_directory(path)) fail(path, std::strerror(EISDIR));
  if (unfinished(path) == path) return;  // opened twice, a pipe would end in between
  if (!std::ofstream(unfinished(path), std::ios::binary)) fail(path, std::strerror(errno));
  remove_unfinished(path);
}

void write_file(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(unfinished(path), std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  std::error_code error;
  if (file && unfinished(path) != path) std::filesystem::rename(unfinished(path), path, error);
  if (file && !error) return;
  const std::string why = error ? error.message() : std::strerror(errno);
  remove_unfinished(path);
  fail(path, why);
}

}  // namespace cuvier
