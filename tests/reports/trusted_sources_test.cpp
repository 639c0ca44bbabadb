// docs/reference/certificate.md lists what verify trusts: what cuvier_trusted is made of, all that
// these sources include, and how many lines that is.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

const fs::path root = CUVIER_SOURCE_DIR;

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A row of the page's table: what its sources begin with.
struct Row {
  std::string part;
  std::vector<std::string> sources;
  int lines = 0;
};

std::vector<Row> rows() {
  std::vector<Row> rows;
  const std::regex row(R"(\| ([^|]*) \| [^|]* \| [^|]* \| ([^|]*`[^|]*) \| ([0-9]+) \|)");
  const std::regex quoted("`([^`]*)`");
  for (const std::string& line : lines_of(root / "docs/reference/certificate.md")) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::string sources = match[2];
    Row each{match[1], {}, std::stoi(match[3])};
    for (std::sregex_iterator at(sources.begin(), sources.end(), quoted), end; at != end; ++at) {
      each.sources.push_back((*at)[1]);
    }
    rows.push_back(each);
  }
  return rows;
}

/// What cuvier_trusted is made of.
std::set<std::string> listed_sources() {
  std::set<std::string> sources;
  const std::regex source(R"(  (\w[\w/]*\.cpp)\)?)");
  for (const std::string& line : lines_of(root / "cmake/CuvierTrusted.cmake")) {
    std::smatch match;
    if (std::regex_match(line, match, source)) sources.insert(match[1]);
  }
  return sources;
}

/// The library of a source, and its name: "space/diagram.cpp".
std::string member(const std::string& source) {
  const fs::path path = source;
  const fs::path library = *path.begin() == "solver" ? *std::next(path.begin()) : *path.begin();
  return (library / path.filename()).string();
}

/// The members of our libraries that the linker took for a program that can do nothing but verify.
std::set<std::string> linked() {
  std::set<std::string> members;
  const std::regex taken(R"(libcuvier_(\w+)_trusted\.a\((\w+\.cpp)\.o\))");
  for (const std::string& line : lines_of(CUVIER_VERIFY_MAP)) {
    std::smatch match;
    if (std::regex_search(line, match, taken)) {
      members.insert(match[1].str() + '/' + match[2].str());
    }
  }
  return members;
}

/// These, and all that they include.
std::set<std::string> trusted() {
  std::set<std::string> seen;
  const std::set<std::string> sources = listed_sources();
  std::vector<std::string> open(sources.begin(), sources.end());
  const std::regex include(R"re(#include "([^"]+)")re");
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    if (!fs::exists(root / file) || !seen.insert(file).second) continue;
    for (const std::string& line : lines_of(root / file)) {
      std::smatch match;
      if (std::regex_search(line, match, include)) open.push_back(match[1]);
    }
  }
  return seen;
}

/// The build holds that they need nothing else: verify-alone links nothing else.
TEST(TrustedSources, AreAllNeeded) {
  std::set<std::string> members;
  for (const std::string& source : listed_sources()) members.insert(member(source));
  ASSERT_THAT(members, testing::Contains("reports/verification.cpp"));
  EXPECT_EQ(linked(), members);
}

TEST(TrustedSources, AreThoseOnThePageAndSoLong) {
  const std::vector<Row> listed = rows();
  ASSERT_GE(listed.size(), 5U);
  std::map<std::string, int> lines;
  for (const std::string& file : trusted()) {
    std::string part;
    std::size_t longest = 0;
    for (const Row& row : listed) {
      for (const std::string& source : row.sources) {
        if (file.starts_with(source) && source.size() > longest) {
          part = row.part;
          longest = source.size();
        }
      }
    }
    EXPECT_NE(part, "") << file << " is trusted by verify and in no row";
    lines[part] += static_cast<int>(lines_of(root / file).size());
  }
  // They grow: the page says about how much there is to read.
  for (const Row& row : listed) {
    EXPECT_NEAR(lines[row.part], row.lines, 0.05 * row.lines) << row.part;
  }
}

}  // namespace
