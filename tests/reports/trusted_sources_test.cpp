// docs/certificate.md lists what verify trusts: what the linker takes for it of our libraries, all
// that these sources include, and how many lines that is.

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

/// Which of our sources the linker took for a program that can do nothing but verify.
std::set<std::string> linked() {
  // By library and name; of two that share both, either may be meant.
  std::map<std::string, std::set<std::string>> named;
  for (const char* folder : {"probes", "hypotheses", "corpus", "solver", "uses", "reports"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path path = fs::relative(entry.path(), root);
      const std::string library =
          *path.begin() == "solver" ? std::next(path.begin())->string() : path.begin()->string();
      named[library + '/' + path.filename().string()].insert(path.string());
    }
  }
  std::set<std::string> sources;
  const std::regex member(R"(libcuvier_(\w+)\.a\((\w+\.cpp)\.o\))");
  for (const std::string& line : lines_of(CUVIER_VERIFY_MAP)) {
    std::smatch match;
    if (!std::regex_search(line, match, member)) continue;
    sources.merge(std::set(named[match[1].str() + '/' + match[2].str()]));
  }
  return sources;
}

/// These, and all that they include.
std::set<std::string> trusted() {
  std::set<std::string> seen;
  const std::set<std::string> sources = linked();
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

TEST(TrustedSources, AreThoseOnThePageAndSoLong) {
  const std::vector<Row> listed = rows();
  ASSERT_GE(listed.size(), 5U);
  ASSERT_THAT(linked(), testing::Contains("reports/verification.cpp"));
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
