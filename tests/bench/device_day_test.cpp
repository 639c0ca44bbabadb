#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <vector>

#include "probes/fact.h"
#include "tests/shell.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

/// bench/device-day.sh in a package of programs that only note what they were called with.
class DeviceDay : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path("day/bin"));
    folder_.write("day/lib/cuvier", "");
    for (const char* script : {"device-day.sh", "pack-day.sh", "killed-context.sh"}) {
      fs::copy_file(std::string(CUVIER_SOURCE_DIR "/bench/") + script,
                    folder_.path(std::string("day/") + script));
    }
    for (const char* name : {"cuvier-gpu", "cuvier", "bench_device_day"}) {
      program(name, "");
    }
  }

  void program(const std::string& name, const std::string& does) {
    folder_.write("day/bin/" + name,
                  "#!/bin/sh\necho \"" + name + " $*\" >>'" + folder_.path("calls") + "'\n" + does);
  }

  /// Its lines.
  std::vector<std::string> day(const std::string& arguments) {
    const Printed printed = shell(folder_, "TMPDIR=\"$PWD\" bash day/device-day.sh " + arguments);
    EXPECT_EQ(printed.code, 0) << printed.text;
    return lines(printed.text);
  }

  std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

  samples::Folder folder_;
};

/// A copy may lose them; a day that then says only "permission denied" is lost.
TEST_F(DeviceDay, RunsThoughItsProgramsMayNot) {
  for (const auto& entry : fs::directory_iterator(folder_.path("day/bin"))) {
    EXPECT_EQ(fs::status(entry).permissions() & fs::perms::owner_exec, fs::perms::none);
  }
  EXPECT_THAT(day("540 out"),
              AllOf(Contains(HasSubstr("== machine: code 0")),
                    Contains(HasSubstr("== infer: code 0")), Contains(HasSubstr("== done after"))));
  const Printed packed = shell(folder_, "tar -xzOf out/seen.tar.gz log.txt");
  EXPECT_THAT(packed.text, HasSubstr("== questions: code 0"));
}

TEST_F(DeviceDay, AsksAgainWhereTheRunnerCannotBeHad) {
  const std::string failed = folder_.path("failed-$(basename $2)-$6");
  program("bench_device_day", "[ -e \"" + failed + "\" ] || { touch \"" + failed + "\"; exit 3; }");
  const std::vector<std::string> said = day("540 out");
  for (const std::string step : {"order", "questions", "spin", "random"}) {
    EXPECT_THAT(said, Contains(HasSubstr("== " + step + ": code 3")));
    EXPECT_THAT(said, Contains(HasSubstr("== " + step + ": code 0")));
  }
}

/// It overran nine tenths of it in every rehearsal, and was killed before it said what it found.
TEST_F(DeviceDay, GivesAnInferenceThreeQuartersOfItsTime) {
  const std::string timeout = folder_.write(
      "path/timeout", "#!/bin/sh\necho \"timeout $*\" >>'" + folder_.path("calls") +
                          "'\n[ \"${1#--}\" = \"$1\" ] || shift\nshift\nexec \"$@\"\n");
  fs::permissions(timeout, fs::perms::owner_all);
  const Printed printed =
      shell(folder_, "PATH=\"$PWD/path:$PATH\" TMPDIR=\"$PWD\" bash day/device-day.sh 540 out");
  ASSERT_EQ(printed.code, 0) << printed.text;
  std::smatch match;
  const std::string calls = folder_.read("calls");
  ASSERT_TRUE(std::regex_search(
      calls, match, std::regex("timeout --kill-after=5 ([0-9]+) [^\n]*infer[^\n]*-limit ([0-9]+)")))
      << calls;
  EXPECT_GT(std::stoi(match[1]), 100);
  EXPECT_EQ(std::stoi(match[2]), std::stoi(match[1]) * 3 / 4);
}

TEST_F(DeviceDay, AsksEverythingBeforeTheRandomSequences) {
  day("540 out --seed 3");
  std::vector<std::string> asked;
  for (const std::string& call : lines(folder_.read("calls"))) {
    std::smatch match;
    if (!std::regex_match(call, match,
                          std::regex("bench_device_day .*/cuvier-gpu --device 0 --log \\S+(.*) "
                                     "\\S+/(\\S+) [0-9]+ \\S+table2.jsonl ([0-9]+) (.*)"))) {
      continue;
    }
    asked.push_back(match[2].str() + match[1].str() + ", " + match[3].str() + ": " +
                    match[4].str());
  }
  EXPECT_THAT(
      asked,
      testing::ElementsAre(
          "recordings, 3: order",
          "recordings, 3: large-grids clusters table2 crowded-clusters one-at-a-time "
          "fragmentation carve-out carve-outs queueing resident-kernels local-memory "
          "warp-pointer after-idle",
          "spin --spin, 3: large-grids",
          "cluster-policy-spread --cluster-policy spread, 3: crowded-clusters",
          "cluster-policy-load-balancing --cluster-policy load-balancing, 3: crowded-clusters",
          "carve-out-0 --carve-out 0, 3: carve-out carve-outs",
          "carve-out-100 --carve-out 100, 3: carve-out carve-outs",
          "connections-1 --connections 1, 3: queueing",
          "connections-8 --connections 8, 3: queueing",
          "local-as-is --local-as-is, 3: local-memory", "recordings, 3: random",
          "recordings, 1003: random", "recordings, 2003: random", "recordings, 3003: random",
          "recordings, 4003: random"));
}

TEST_F(DeviceDay, LeavesAloneWhatAnotherDaySaw) {
  folder_.write("out/seen.tar.gz", "of yesterday");
  const Printed printed = shell(folder_, "bash day/device-day.sh 540 out");
  EXPECT_EQ(printed.code, 2);
  EXPECT_THAT(printed.text, HasSubstr("has what another day saw; name another folder"));
  EXPECT_EQ(folder_.read("out/seen.tar.gz"), "of yesterday");
}

/// bench_device_day before the rehearsal.
class Questions : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(CUVIER_REHEARSAL)) GTEST_SKIP() << "no CUDA compiler found";
  }

  void ask(const std::string& mechanism, const std::string& items,
           const std::string& table = CUVIER_SOURCE_DIR "/corpus/table2.jsonl") {
    const Printed printed =
        shell(folder_, "TMPDIR=\"$PWD\" CUVIER_FAKE_GPU=h200 CUVIER_FAKE_MECHANISM=" + mechanism +
                           " " CUVIER_DEVICE_DAY " " CUVIER_REHEARSAL " seen 300 '" + table +
                           "' 0 " + items);
    EXPECT_EQ(printed.code, 0) << printed.text;
  }

  std::string journal(const std::string& item) {
    return folder_.path("seen/" + item + "/journal.jsonl");
  }

  samples::Folder folder_;
};

/// The best evidence on what drifts.
TEST_F(Questions, KeepWhenEachBlockStarted) {
  ask("algorithm-1", "crowded-clusters");
  std::istringstream lines(folder_.read("seen/crowded-clusters/journal.jsonl"));
  int blocks = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto json = ordered_json::parse(line);
    if (json["type"] != "recording") continue;
    const auto& started = json.at("observation").at("steps")[0].at("started").at("k");
    EXPECT_EQ(started.at("start_ns").size(), started.at("sm").size());
    blocks += static_cast<int>(started.at("start_ns").size());
  }
  EXPECT_GT(blocks, 132);
}

/// What an item leaves behind in the device stands in no other item's journal.
TEST_F(Questions, BeginEachJournalWithASession) {
  const std::string mechanism = "selection=round_robin,cursor_reset=never,local_memory=ignored";
  ask(mechanism, "resident-kernels warp-pointer");
  for (const char* item : {"resident-kernels", "warp-pointer"}) {
    const Printed printed =
        shell(folder_, CUVIER_BINARY " check --model " + mechanism + " '" + journal(item) + "'");
    EXPECT_EQ(printed.code, 0) << printed.text;
  }
}

/// Of a grid that is smaller here than in the table.
TEST_F(Questions, ReleaseNothingForABlockThatThereIsNot) {
  const std::string device = samples::with(samples::device_text, R"("sms":4)", R"("sms":264)");
  const std::string table = folder_.write(
      "table.jsonl",
      R"({"type":"device","source":"larger","device":)" + device + "}\n" +
          R"({"type":"recording","name":"table","kernels":{"k":{"blocks":264,"threads":32,)"
          R"("registers":16}},"script":[{"launch":"k"},{"release":[{"kernel":"k","blocks":[200]}]},)"
          R"({"release":[{"kernel":"k","blocks":[0,200]}]}],)"
          R"("facts":[{"step":0,"kernel":"k","started":264}]})"
          "\n");
  ask("algorithm-1", "table2", table);
  const std::vector<Action> script =
      read_recordings(journal("table2")).recordings.front().probe.script;
  ASSERT_EQ(script.size(), 2U);
  EXPECT_EQ(script[1].releases, (std::vector<Release>{{0, {0}}}));
}

TEST(DeviceDayProgram, SaysWhichArgumentsAreNumbers) {
  const samples::Folder folder;
  const Printed printed = shell(folder, CUVIER_DEVICE_DAY " runner out ten table2.jsonl 0");
  EXPECT_EQ(printed.code, 2);
  EXPECT_THAT(printed.text, HasSubstr("SECONDS and SEED are whole numbers"));
}

TEST_F(Questions, GoOnInAnotherJournalWhereOneIsFull) {
  ask("algorithm-1", "resident-kernels");
  const std::string full = folder_.read("seen/resident-kernels/journal.jsonl");
  std::ofstream(journal("resident-kernels"), std::ios::app) << std::string(4 << 20, '\n');
  ask("algorithm-1", "resident-kernels");
  EXPECT_EQ(fs::file_size(journal("resident-kernels")), full.size() + (4 << 20));
  EXPECT_EQ(read_recordings(journal("resident-kernels-1")).recordings.size(), 3U);
}

}  // namespace
}  // namespace cuvier
