#include "reports/document/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "probes/an_error.h"
#include "reports/document/json_text.h"

namespace cuvier {

namespace {

/// Whether it ends where it is closed: a device or a pipe.
bool is_stream(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_other(path, none);
}

/// Where a file is written before it takes its place. A stream is no place to take, nor is a link:
/// what it names would stay as it was.
std::string unfinished(const std::string& path) {
  std::error_code none;
  const bool in_place = is_stream(path) || std::filesystem::is_symlink(path, none);
  return in_place ? path : path + ".tmp";
}

void remove_unfinished(const std::string& path) {
  std::error_code ignored;
  if (unfinished(path) != path) std::filesystem::remove(unfinished(path), ignored);
}

/// What to do where a file could not be written, by errno.
const char* remedy(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "make its folder or name another";
    case EISDIR:
      return "name a file";
    case EACCES:
    case EPERM:
    case EROFS:
      return "mend the permissions or name another folder";
    default:
      return "make room or name another folder";
  }
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw an_error("{}: cannot be written: {}; {}", path, std::strerror(error), remedy(error));
}

}  // namespace

void expect_writable(const std::string& path) {
  errno = 0;
  if (std::filesystem::is_directory(path)) fail(path, EISDIR);
  if (is_stream(path)) return;  // opened twice, a pipe would end in between
  if (!std::ofstream(unfinished(path), std::ios::binary | std::ios::app)) {
    fail(path, errno);
  }
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
  const int why = error ? error.value() : errno;
  remove_unfinished(path);
  fail(path, why);
}

void write_json(const std::string& path, const nlohmann::ordered_json& json, int indent) {
  write_file(path, json_text(json, indent) + '\n');
}

void write_with_folder(const std::filesystem::path& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);  // if not, the file says why
  write_file(path.string(), text);
}

void write_folder(const std::filesystem::path& folder, const FilesOfFolder& files) {
  std::filesystem::path named = std::filesystem::absolute(folder).lexically_normal();
  // "lemmas/" is lemmas: what is written beside it is not to be in it.
  if (!named.has_filename()) named = named.parent_path();
  const std::filesystem::path unfinished = named.string() + ".tmp";
  std::error_code error;
  std::filesystem::remove_all(unfinished, error);
  try {
    for (const auto& [file, text] : files) write_with_folder(unfinished / file, text);
  } catch (const Error&) {
    std::filesystem::remove_all(unfinished, error);
    throw;
  }
  std::filesystem::remove_all(named, error);
  std::filesystem::rename(unfinished, named, error);
  if (error) {
    throw an_error("{}: cannot be replaced: {}; remove it or name another folder", named.string(),
                   error.message());
  }
}

std::string new_temporary_folder(const std::string& name, const std::string& remedy) {
  std::error_code error;
  const auto place = std::filesystem::temp_directory_path(error);
  std::string folder = (place / fmt::format("cuvier-{}-XXXXXX", name)).string();
  if (error || ::mkdtemp(folder.data()) == nullptr) {
    throw an_error("no temporary folder can be made in {}: {}; {}", place.string(),
                   error ? error.message() : std::strerror(errno), remedy);
  }
  return folder;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cuvier
