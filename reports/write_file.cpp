#include "reports/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "probes/error.h"

namespace cuvier {

namespace {

std::string unfinished(const std::string& path) { return path + ".tmp"; }

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(
      fmt::format("{}: cannot be written: {}; make room or name another folder", path, why));
}

}  // namespace

void expect_writable(const std::string& path) {
  errno = 0;
  if (std::filesystem::is_directory(path)) fail(path, std::strerror(EISDIR));
  if (!std::ofstream(unfinished(path), std::ios::binary)) fail(path, std::strerror(errno));
  std::error_code ignored;
  std::filesystem::remove(unfinished(path), ignored);
}

void write_file(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(unfinished(path), std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(unfinished(path), path, error);
  if (file && !error) return;
  const std::string why = error ? error.message() : std::strerror(errno);
  std::filesystem::remove(unfinished(path), error);
  fail(path, why);
}

}  // namespace cuvier
