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

/// What a file includes of ours, its own header first.
std::vector<std::string> included_by(const std::string& file) {
  std::vector<std::string> included;
  const std::regex include(R"re(#include "([^"]+)")re");
  for (const std::string& line : lines_of(root / file)) {
    std::smatch match;
    if (std::regex_search(line, match, include) && fs::exists(root / match[1].str())) {
      included.push_back(match[1]);
    }
  }
  return included;
}

/// These, all that they include, and the sources among `behind` whose headers are among that.
std::set<std::string> with_all_included(std::vector<std::string> open,
                                        const std::set<std::string>& behind) {
  std::multimap<std::string, std::string> sources_of;
  for (const std::string& source : behind) sources_of.emplace(included_by(source).at(0), source);
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    if (!seen.insert(file).second) continue;
    for (const std::string& included : included_by(file)) open.push_back(included);
    const auto [first, last] = sources_of.equal_range(file);
    for (auto each = first; each != last; ++each) open.push_back(each->second);
  }
  return seen;
}

/// The build holds that they need nothing else: verify-alone links nothing else.
TEST(TrustedSources, AreAllNeeded) {
  const std::set<std::string> listed = listed_sources();
  ASSERT_THAT(listed, testing::Contains("reports/certificate/verification.cpp"));
  const auto reached = with_all_included({"reports/certificate/verification.cpp"}, listed);
  for (const std::string& source : listed) {
    EXPECT_TRUE(reached.contains(source)) << source << " is behind no header that verify includes";
  }
}

TEST(TrustedSources, AreThoseOnThePageAndSoLong) {
  const std::vector<Row> listed = rows();
  ASSERT_GE(listed.size(), 5U);
  std::map<std::string, int> lines;
  const std::set<std::string> sources = listed_sources();
  for (const std::string& file : with_all_included({sources.begin(), sources.end()}, {})) {
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

/// Numbers as pages write them: `24,043 lines`.
int number_before(const std::string& words, const std::string& page) {
  for (const std::string& line : lines_of(root / page)) {
    std::smatch match;
    if (!std::regex_search(line, match, std::regex("([0-9,]+) " + words))) continue;
    std::string digits = match[1];
    std::erase(digits, ',');
    return std::stoi(digits);
  }
  ADD_FAILURE() << page << " does not say how many " << words;
  return 0;
}

TEST(TrustedSources, AddUpToWhatThePageSays) {
  int sum = 0;
  for (const Row& row : rows()) sum += row.lines;
  EXPECT_EQ(number_before("lines: not small", "docs/reference/certificate.md"), sum);
}

TEST(TrustedSources, OfTheCheckerApartAreAsManyAsPagesSay) {
  int files = 0;
  int lines = 0;
  for (const auto& each : fs::directory_iterator(root / "verify")) {
    const std::string ending = each.path().extension();
    if (ending != ".cpp" && ending != ".h") continue;
    ++files;
    lines += static_cast<int>(lines_of(each.path()).size());
  }
  for (const char* page : {"docs/reference/certificate.md", "docs/design/checker.md"}) {
    EXPECT_NEAR(number_before("lines in [0-9]+ files", page), lines, 0.05 * lines) << page;
    EXPECT_EQ(number_before("files", page), files) << page;
  }
}

}  // namespace
