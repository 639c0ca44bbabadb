#pragma once

#include <algorithm>
#include <compare>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

/// The sources as text, for tests of how they are laid out.

using Names = std::set<std::string>;

/// Whose files are looked at.
inline const Names source_folders = {"bench",  "cli",    "corpus",  "hypotheses",
                                     "probes", "python", "reports", "solver",
                                     "tests",  "uses",   "verify"};

struct Include {
  std::string header;
  bool quoted = false;
  auto operator<=>(const Include&) const = default;
};

struct Source {
  std::string path;  ///< from the root, with '/'
  std::vector<std::string> lines;
  std::vector<Include> includes;

  bool is_header() const { return path.ends_with(".h") || path.ends_with(".cuh"); }
  bool contains(const std::string& text) const {
    return std::ranges::any_of(
        lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
  }
};

inline std::optional<Include> parse_include(const std::string& line) {
  static const std::regex pattern(R"re(\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::smatch match;
  if (!std::regex_match(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

inline std::string first_folder(const std::string& path) { return path.substr(0, path.find('/')); }

inline Source read_source(const std::filesystem::path& root, const std::filesystem::path& file) {
  Source source{std::filesystem::relative(file, root).generic_string(), {}, {}};
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (const auto include = parse_include(line)) source.includes.push_back(*include);
    source.lines.push_back(line);
  }
  return source;
}

inline std::vector<Source> read_sources() {
  static const Names endings = {".h", ".cpp", ".cu", ".cuh"};
  const std::filesystem::path root = CUVIER_SOURCE_DIR;
  std::vector<Source> sources;
  for (const std::string& folder : source_folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (endings.contains(entry.path().extension().string())) {
        sources.push_back(read_source(root, entry.path()));
      }
    }
  }
  return sources;
}

/// All of them, read once.
inline const std::vector<Source>& sources() {
  static const std::vector<Source> all = read_sources();
  return all;
}
