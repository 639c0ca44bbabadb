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

/// A room of solver/, and the rooms whose headers it may see.
struct Room {
  std::string name;
  Names sees;
};

/// room(NAME ROOMS A B LINKS ...): what CMake builds them by.
std::vector<Room> rooms_in(const std::string& cmake) {
  static const std::regex pattern(R"(\nroom\((\w+)([^)]*)\))");
  std::vector<Room> rooms;
  for (std::sregex_iterator at(cmake.begin(), cmake.end(), pattern), end; at != end; ++at) {
    Room room{(*at)[1], {}};
    std::istringstream words((*at)[2]);
    bool of_rooms = false;
    for (std::string word; words >> word;) {
      const bool keyword = word == "ROOMS" || word == "LINKS" || word == "PRIVATE_LINKS";
      if (keyword) {
        of_rooms = word == "ROOMS";
      } else if (of_rooms) {
        room.sees.insert(word);
      }
    }
    rooms.push_back(std::move(room));
  }
  return rooms;
}

const std::vector<Room>& rooms() {
  static const std::vector<Room> all = [] {
    std::ifstream file(std::string(CUVIER_SOURCE_DIR) + "/solver/CMakeLists.txt");
    return rooms_in({std::istreambuf_iterator<char>(file), {}});
  }();
  return all;
}

/// The room that the path is in; empty for none.
std::string room_of(const std::string& path) {
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

/// What of the sources sees a room that it should not.
std::vector<std::string> faults_in(const std::vector<Source>& sources,
                                   const std::vector<Room>& rooms) {
  std::vector<std::string> faults;
  const Includes includes(sources);
  for (const Source& source : sources) {
    const auto room = std::ranges::find(rooms, room_of(source.path), &Room::name);
    if (room == rooms.end()) continue;
    for (const auto& [include, way] : includes.seen_by(source)) {
      const std::string other = include.quoted ? room_of(include.header) : "";
      if (other.empty() || other == room->name || room->sees.contains(other)) continue;
      faults.push_back(source.path + ": " + include.header + way + " is against the arrows");
    }
  }
  return faults;
}

Source source_of(const std::string& path, const std::string& header) {
  return {path, {}, {{header, true}}};
}

TEST(Rooms, AreReadFromWhatBuildsThem) {
  const auto read = rooms_in("\nroom(low)\nroom(high ROOMS low\n  LINKS other)\n");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].name, "low");
  EXPECT_THAT(read[0].sees, IsEmpty());
  EXPECT_EQ(read[1].sees, Names{"low"});
  EXPECT_THAT(rooms(), Contains(::testing::Field(&Room::name, "smt")));
}

TEST(Rooms, KnowAFaultWhenTheySeeOne) {
  const std::vector<Room> some = {{"low", {}}, {"middle", {"low"}}, {"high", {"middle"}}};
  const Source middle = source_of("solver/middle/b.h", "solver/low/c.h");
  EXPECT_THAT(faults_in({middle}, some), IsEmpty());
  EXPECT_THAT(faults_in({source_of("solver/low/c.h", "solver/middle/b.h")}, some),
              Contains("solver/low/c.h: solver/middle/b.h is against the arrows"));
  EXPECT_THAT(faults_in({source_of("solver/high/a.cpp", "solver/middle/b.h"), middle}, some),
              Contains("solver/high/a.cpp: solver/low/c.h by way of solver/middle/b.h is against "
                       "the arrows"));
}

TEST(Rooms, SeeOnlyThoseBelow) { EXPECT_THAT(faults_in(sources(), rooms()), IsEmpty()); }

TEST(Rooms, StandInOrder) {
  Names below;
  for (const Room& room : rooms()) {
    EXPECT_TRUE(std::ranges::includes(below, room.sees)) << room.name << ": a circle, or no room";
    below.insert(room.name);
  }
}

TEST(Rooms, HaveNoArrowThatNothingNeeds) {
  std::map<std::string, Names> seen;
  const Includes includes(sources());
  for (const Source& source : sources()) {
    for (const auto& [include, way] : includes.seen_by(source)) {
      if (include.quoted) seen[room_of(source.path)].insert(room_of(include.header));
    }
  }
  for (const Room& room : rooms()) {
    EXPECT_TRUE(std::ranges::includes(seen[room.name], room.sees)) << room.name;
  }
}

TEST(Rooms, HoldAllOfTheSolver) {
  std::vector<std::string> loose;
  for (const Source& source : sources()) {
    if (first_folder(source.path) != "solver") continue;
    if (std::ranges::find(rooms(), room_of(source.path), &Room::name) == rooms().end()) {
      loose.push_back(source.path);
    }
  }
  EXPECT_THAT(loose, IsEmpty());
}

TEST(Rooms, SpeakOfTermsWhereTheyHaveTo) {
  const Names speak = {"smt", "constraints", "proof", "synthesis"};
  std::vector<std::string> faults;
  const Includes includes(sources());
  for (const Source& source : sources()) {
    if (first_folder(source.path) == "tests" || speak.contains(room_of(source.path))) continue;
    for (const auto& [include, way] : includes.seen_by(source)) {
      if (!include.quoted && include.header.starts_with("z3")) {
        faults.push_back(source.path + ": " + include.header + way);
      }
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

}  // namespace
