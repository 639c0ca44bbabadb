#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

using Names = std::set<std::string>;

/// The arrows: whose headers each folder may include.
const std::map<std::string, Names> arrows = {
    {"probes", {"probes"}},
    {"hypotheses", {"probes", "hypotheses"}},
    {"corpus", {"probes", "corpus"}},
    {"solver", {"probes", "hypotheses", "corpus", "solver"}},
    {"reports", {"probes", "hypotheses", "corpus", "solver", "reports"}},
    {"cli", {"probes", "hypotheses", "corpus", "solver", "reports", "cli"}},
    {"bench", {"probes", "hypotheses", "corpus", "solver", "reports", "tests", "bench"}},
    {"tests", {"probes", "hypotheses", "corpus", "solver", "reports", "cli", "tests"}},
};

/// Within solver/: what these folders may not include.
const std::map<std::string, Names> closed = {
    {"solver/space/", {"solver/proof/", "solver/search/"}},
    {"solver/proof/", {"solver/space/", "solver/search/"}},
};

/// Libraries that are one folder's own business.
struct Confined {
  std::string header;  ///< how the name in <...> begins
  std::string folder;  ///< how the path of a file that may include it begins
};
const std::vector<Confined> confined = {
    {"z3", "solver/"},        {"cuda", "probes/gpu/"}, {"cupti", "probes/gpu/"},
    {"nvrtc", "probes/gpu/"}, {"nvml", "probes/gpu/"}, {"CLI/", "cli/"},
};

constexpr int max_lines = 400;

/// Path -> why it may be longer.
const std::map<std::string, std::string> long_sources = {};

struct Include {
  std::string header;
  bool quoted = false;
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

std::optional<Include> parse_include(const std::string& line) {
  static const std::regex pattern(R"re(\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::smatch match;
  if (!std::regex_match(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

std::string first_folder(const std::string& path) { return path.substr(0, path.find('/')); }

/// What is wrong with this file including this header, if anything is.
std::optional<std::string> fault_of(const std::string& path, const Include& include) {
  if (include.quoted) {
    const std::string target = first_folder(include.header);
    if (!arrows.contains(target)) return "is not written from the root";
    if (!arrows.at(first_folder(path)).contains(target)) return "is against the arrows";
    for (const auto& [folder, others] : closed) {
      if (!path.starts_with(folder)) continue;
      for (const std::string& other : others) {
        if (include.header.starts_with(other)) return "is against the arrows within solver/";
      }
    }
    return std::nullopt;
  }
  for (const auto& [header, folder] : confined) {
    if (include.header.starts_with(header) && !path.starts_with(folder)) {
      return "belongs in " + folder + " alone";
    }
  }
  if (include.header.starts_with("boost/graph") && !path.ends_with(".cpp")) {
    return "belongs in a .cpp file";
  }
  return std::nullopt;
}

Source read_source(const fs::path& root, const fs::path& file) {
  Source source{fs::relative(file, root).generic_string(), {}, {}};
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (const auto include = parse_include(line)) source.includes.push_back(*include);
    source.lines.push_back(line);
  }
  return source;
}

std::vector<Source> read_sources() {
  static const Names endings = {".h", ".cpp", ".cu", ".cuh"};
  const fs::path root = CUVIER_SOURCE_DIR;
  std::vector<Source> sources;
  for (const auto& [folder, allowed] : arrows) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (endings.contains(entry.path().extension().string())) {
        sources.push_back(read_source(root, entry.path()));
      }
    }
  }
  return sources;
}

class Layout : public ::testing::Test {
 protected:
  static const std::vector<Source>& sources() {
    static const std::vector<Source> all = read_sources();
    return all;
  }
};

TEST_F(Layout, SeesTheSources) {
  EXPECT_TRUE(std::ranges::any_of(sources(), [](const Source& source) {
    return source.path == "probes/probe.h" && !source.includes.empty();
  }));
}

TEST_F(Layout, KnowsAFaultWhenItSeesOne) {
  const auto quoted = [](const std::string& header) { return Include{header, true}; };
  const auto angled = [](const std::string& header) { return Include{header, false}; };
  EXPECT_TRUE(fault_of("probes/probe.cpp", quoted("solver/x.h")));
  EXPECT_TRUE(fault_of("hypotheses/axes/x.cpp", quoted("corpus/x.h")));
  EXPECT_TRUE(fault_of("solver/x.cpp", quoted("reports/x.h")));
  EXPECT_TRUE(fault_of("solver/space/x.cpp", quoted("solver/search/x.h")));
  EXPECT_FALSE(fault_of("solver/search/x.cpp", quoted("solver/proof/x.h")));
  EXPECT_TRUE(fault_of("solver/x.cpp", quoted("x.h")));
  EXPECT_TRUE(fault_of("hypotheses/x.cpp", angled("z3++.h")));
  EXPECT_TRUE(fault_of("probes/x.cpp", angled("cuda_runtime.h")));
  EXPECT_TRUE(fault_of("reports/x.cpp", angled("CLI/CLI.hpp")));
  EXPECT_TRUE(fault_of("solver/x.h", angled("boost/graph/adjacency_list.hpp")));

  EXPECT_FALSE(fault_of("reports/x.cpp", quoted("solver/x.h")));
  EXPECT_FALSE(fault_of("solver/x.cpp", angled("z3++.h")));
  EXPECT_FALSE(fault_of("probes/gpu/x.cu", angled("cuda_runtime.h")));
  EXPECT_FALSE(fault_of("solver/x.cpp", angled("boost/graph/adjacency_list.hpp")));

  EXPECT_FALSE(parse_include("// see probes/probe.h"));
  EXPECT_EQ(parse_include("#  include \"probes/probe.h\"  // why")->header, "probes/probe.h");
}

TEST_F(Layout, IncludesFollowTheArrows) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    for (const Include& include : source.includes) {
      if (const auto fault = fault_of(source.path, include)) {
        faults.push_back(source.path + ": " + include.header + " " + *fault);
      }
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST_F(Layout, JsonFromOutsideHasOneReader) {
  const std::vector<std::string> may_parse = {
      "probes/json_fields.cpp",
      "solver/proof/smt_query.cpp",  // what our own child process writes
  };
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    const bool parses = source.contains("Json::parse(") || source.contains("json::parse(");
    const bool is_ours = !source.path.starts_with("tests/") &&
                         std::ranges::find(may_parse, source.path) == may_parse.end();
    if (parses && is_ours) faults.push_back(source.path);
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST_F(Layout, SourcesAreShort) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    if (std::ssize(source.lines) > max_lines && !long_sources.contains(source.path)) {
      faults.push_back(source.path + ": " + std::to_string(source.lines.size()) + " lines");
    }
  }
  for (const auto& [path, reason] : long_sources) {
    const auto found = std::ranges::find(sources(), path, &Source::path);
    if (found == sources().end() || std::ssize(found->lines) <= max_lines) {
      faults.push_back(path + ": needs no exception");
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST_F(Layout, HeadersAreGuardedAndOpenNoNamespaceForOthers) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    if (!source.is_header()) continue;
    if (!source.contains("#pragma once")) faults.push_back(source.path + ": no #pragma once");
    if (source.contains("using namespace")) faults.push_back(source.path + ": using namespace");
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST_F(Layout, LibrariesLiveInOurNamespace) {
  std::vector<std::string> faults;
  for (const Source& source : sources()) {
    const std::string folder = first_folder(source.path);
    const bool in_library = folder != "cli" && folder != "tests" && folder != "bench" &&
                            !source.path.starts_with("probes/gpu/");
    if (in_library && !source.contains("namespace cuvier")) {
      faults.push_back(source.path + ": no namespace cuvier");
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

}  // namespace
