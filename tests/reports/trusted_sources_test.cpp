// docs/certificate.md lists what verify trusts: all that its sources include, and how many lines
// that is.

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
  const std::regex row(R"(\| ([^|]*) \| [^|]* \| ([^|]*`[^|]*) \| ([0-9]+) \|)");
  const std::regex quoted("`([^`]*)`");
  for (const std::string& line : lines_of(root / "docs/certificate.md")) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::string sources = match[2].str().substr(0, match[2].str().find(" but "));
    Row each{match[1], {}, std::stoi(match[3])};
    for (std::sregex_iterator at(sources.begin(), sources.end(), quoted), end; at != end; ++at) {
      each.sources.push_back((*at)[1]);
    }
    rows.push_back(each);
  }
  return rows;
}

/// All that verification.cpp includes, and what defines it.
std::set<std::string> trusted() {
  std::set<std::string> seen;
  std::vector<std::string> open = {"reports/verification.cpp", "probes/recording.cpp"};
  const std::regex include(R"re(#include "([^"]+)\.h")re");
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    if (!fs::exists(root / file) || !seen.insert(file).second) continue;
    for (const std::string& line : lines_of(root / file)) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      open.push_back(match[1].str() + ".h");
      open.push_back(match[1].str() + ".cpp");
    }
  }
  return seen;
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
