#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cuvier {

/// Throws Error if write_file() could not write to the path now: before the work is done.
void expect_writable(const std::string& path);

/// Writes the text to the path: a file whole or not at all, for which PATH.tmp is overwritten; a
/// device, a pipe or what a symbolic link names as it comes; JSON with a newline. Throws Error.
void write_file(const std::string& path, const std::string& text);
void write_json(const std::string& path, const nlohmann::ordered_json& json, int indent = -1);

/// The same; its folder is made, too, if there is none.
void write_with_folder(const std::filesystem::path& path, const std::string& text);

/// Texts by where they stand in a folder: "accel-sim/gpgpusim.config".
using FilesOfFolder = std::map<std::string, std::string>;

/// Makes the folder of these files, or none: what was there goes once all are whole beside it, in
/// FOLDER.tmp. Throws Error.
void write_folder(const std::filesystem::path& folder, const FilesOfFolder& files);

/// A new folder in the system's place for temporary files: "/tmp/cuvier-NAME-x3Gh6a". It stays.
/// Throws Error with this remedy.
std::string new_temporary_folder(const std::string& name, const std::string& remedy);

/// Such a folder that goes, with all that is in it, when this does.
class TemporaryFolder {
 public:
  TemporaryFolder(const std::string& name, const std::string& remedy)
      : path_(new_temporary_folder(name, remedy)) {}
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace cuvier
