#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/layout/source.h"

namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

/// A component of solver/, and the components whose headers it may see.
struct Component {
  std::string name;
  Names sees;
};

/// component(NAME COMPONENTS A B LINKS ...): what CMake builds them by.
std::vector<Component> components_in(const std::string& cmake) {
  static const std::regex pattern(R"(\ncomponent\((\w+)([^)]*)\))");
  std::vector<Component> components;
  for (std::sregex_iterator at(cmake.begin(), cmake.end(), pattern), end; at != end; ++at) {
    Component component{(*at)[1], {}};
    std::istringstream words((*at)[2]);
    bool of_components = false;
    for (std::string word; words >> word;) {
      const bool keyword = word == "COMPONENTS" || word == "LINKS" || word == "PRIVATE_LINKS";
      if (keyword) {
        of_components = word == "COMPONENTS";
      } else if (of_components) {
        component.sees.insert(word);
      }
    }
    components.push_back(std::move(component));
  }
  return components;
}

const std::vector<Component>& components() {
  static const std::vector<Component> all = [] {
    std::ifstream file(std::string(CUVIER_SOURCE_DIR) + "/solver/CMakeLists.txt");
    return components_in({std::istreambuf_iterator<char>(file), {}});
  }();
  return all;
}

/// The component that the path is in; empty for none.
std::string component_of(const std::string& path) {
  static const std::regex pattern("solver/(\\w+)/.*");
  std::smatch match;
  return std::regex_match(path, match, pattern) ? match[1].str() : "";
}

/// What a file sees: a header, by way of which others.
using Seen = std::map<Include, std::string>;

class Includes {
 public:
  explicit Includes(const std::vector<Source>& sources) {
    for (const Source& source : sources) by_path_[source.path] = &source;
  }

  Seen seen_by(const Source& source) const {
    Seen seen;
    look(source, "", seen);
    return seen;
  }

 private:
  void look(const Source& source, const std::string& way, Seen& seen) const {
    for (const Include& include : source.includes) {
      if (!seen.emplace(include, way).second) continue;
      const auto header = by_path_.find(include.header);
      if (include.quoted && header != by_path_.end()) {
        look(*header->second, way + " by way of " + include.header, seen);
      }
    }
  }

  std::map<std::string, const Source*> by_path_;
};

/// What of the sources sees a component that it should not.
std::vector<std::string> faults_in(const std::vector<Source>& sources,
                                   const std::vector<Component>& components) {
  std::vector<std::string> faults;
  const Includes includes(sources);
  for (const Source& source : sources) {
    const auto component =
        std::ranges::find(components, component_of(source.path), &Component::name);
    if (component == components.end()) continue;
    for (const auto& [include, way] : includes.seen_by(source)) {
      const std::string other = include.quoted ? component_of(include.header) : "";
      if (other.empty() || other == component->name || component->sees.contains(other)) continue;
      faults.push_back(source.path + ": " + include.header + way + " is against the arrows");
    }
  }
  return faults;
}

Source source_of(const std::string& path, const std::string& header) {
  return {path, {}, {{header, true}}};
}

TEST(Components, AreReadFromWhatBuildsThem) {
  const auto read = components_in("\ncomponent(low)\ncomponent(high COMPONENTS low\n  LINKS other)\n");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].name, "low");
  EXPECT_THAT(read[0].sees, IsEmpty());
  EXPECT_EQ(read[1].sees, Names{"low"});
  EXPECT_THAT(components(), Contains(::testing::Field(&Component::name, "smt")));
}

TEST(Components, KnowAFaultWhenTheySeeOne) {
  const std::vector<Component> some = {{"low", {}}, {"middle", {"low"}}, {"high", {"middle"}}};
  const Source middle = source_of("solver/middle/b.h", "solver/low/c.h");
  EXPECT_THAT(faults_in({middle}, some), IsEmpty());
  EXPECT_THAT(faults_in({source_of("solver/low/c.h", "solver/middle/b.h")}, some),
              Contains("solver/low/c.h: solver/middle/b.h is against the arrows"));
  EXPECT_THAT(faults_in({source_of("solver/high/a.cpp", "solver/middle/b.h"), middle}, some),
              Contains("solver/high/a.cpp: solver/low/c.h by way of solver/middle/b.h is against "
                       "the arrows"));
}

TEST(Components, SeeOnlyThoseBelow) { EXPECT_THAT(faults_in(sources(), components()), IsEmpty()); }

TEST(Components, StandInOrder) {
  Names below;
  for (const Component& component : components()) {
    EXPECT_TRUE(std::ranges::includes(below, component.sees))
        << component.name << ": a circle, or no component";
    below.insert(component.name);
  }
}

TEST(Components, HaveNoArrowThatNothingNeeds) {
  std::map<std::string, Names> seen;
  const Includes includes(sources());
  for (const Source& source : sources()) {
    for (const auto& [include, way] : includes.seen_by(source)) {
      if (include.quoted) seen[component_of(source.path)].insert(component_of(include.header));
    }
  }
  for (const Component& component : components()) {
    EXPECT_TRUE(std::ranges::includes(seen[component.name], component.sees)) << component.name;
  }
}

TEST(Components, HoldAllOfTheSolver) {
  std::vector<std::string> loose;
  for (const Source& source : sources()) {
    if (first_folder(source.path) != "solver") continue;
    if (std::ranges::find(components(), component_of(source.path), &Component::name) ==
        components().end()) {
      loose.push_back(source.path);
    }
  }
  EXPECT_THAT(loose, IsEmpty());
}

TEST(Components, SpeakOfTermsWhereTheyHaveTo) {
  const Names speak = {"smt", "constraints", "proof"};
  std::vector<std::string> faults;
  const Includes includes(sources());
  for (const Source& source : sources()) {
    if (first_folder(source.path) == "tests" || speak.contains(component_of(source.path))) continue;
    for (const auto& [include, way] : includes.seen_by(source)) {
      if (!include.quoted && include.header.starts_with("z3")) {
        faults.push_back(source.path + ": " + include.header + way);
      }
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

}  // namespace
