#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class KitCommand : public ::testing::Test {
 protected:
  KitCommand() { folder_.write("four.json", samples::device_text); }

  void make(const std::string& arguments) {
    const Ended ended = run_cuvier(folder_, "kit " + arguments + " --out kit");
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
  }

  Ended score(const std::string& arguments) { return run_cuvier(folder_, "score " + arguments); }

  samples::Folder folder_;
};

TEST_F(KitCommand, IsMetByWhatItIsOf) {
  make("rtx3090-as-recorded --device four.json");
  const Ended ended = score("kit --oracle sim:four.json,rtx3090-as-recorded");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("as on the GPU"), Not(HasSubstr("Missed"))));
  EXPECT_EQ(score("kit --log kit/placements.csv").exit_code, 0);
}

/// The GPU's model and the simulators' usual policy, on the whole device.
TEST_F(KitCommand, SaysWhatASimulatorLacks) {
  make("rtx3090-as-recorded --device rtx3090");
  const Ended ended = score("kit --oracle sim:rtx3090,gpgpu-sim");
  EXPECT_EQ(ended.exit_code, 11) << ended.err;
  EXPECT_THAT(
      ended.out,
      AllOf(HasSubstr("\nWhat it lacks:\n"),
            HasSubstr("the SM with room for the most further blocks of this kernel (most_room)  "),
            HasSubstr("the first eligible SM from the cursor on, which moves past it "
                      "(round_robin)\n"),
            HasSubstr("(tpc)"), HasSubstr("\nMissed:\n")));
}

TEST_F(KitCommand, TellsOfOneAxisAlone) {
  make("algorithm-1 --device four.json");
  const Json told =
      parse_json(score("kit --oracle sim:four.json,selection=first_fit --json").out, "score");
  ASSERT_EQ(told["otherwise"].size(), 1u) << told.dump(1);
  EXPECT_EQ(told["otherwise"][0]["axis"], "selection");
  EXPECT_EQ(told["otherwise"][0]["gpu"].dump(), R"(["most_room"])");
  EXPECT_THAT(told["otherwise"][0]["simulator"].get<std::vector<std::string>>(),
              AllOf(Contains("first_fit"), Not(Contains("most_room"))));
  EXPECT_EQ(told["explained_by"]["selection"], "first_fit");
}

/// A program that speaks the protocol: cuvier-gpu's own, before a simulated device.
TEST_F(KitCommand, AsksPrograms) {
  make("algorithm-1 --device four.json");
  const std::string program = "kit --oracle 'exec:" CUVIER_STAND_IN " four.json'";
  const Ended ended = score(program);
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_EQ(score(program + " --oracles 3").out, ended.out);
}

TEST_F(KitCommand, AsksNoLongerThanItMay) {
  make("algorithm-1 --device four.json");
  const Ended ended = score("kit --oracle sim:four.json,algorithm-1 --time-limit 1e-9");
  EXPECT_EQ(ended.exit_code, ambiguous) << ended.out;
  EXPECT_THAT(ended.err, HasSubstr("s allowed are spent"));
}

TEST_F(KitCommand, ReadsLogs) {
  make("algorithm-1 --device four.json");
  // Nothing ever goes to SM 3: it goes to SM 0 instead.
  std::istringstream lines(folder_.read("kit/placements.csv"));
  std::string log;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(",3")) line.back() = '0';
    log += line + '\n';
  }
  folder_.write("log.csv", log);
  const Ended ended = score("kit --log log.csv");
  EXPECT_EQ(ended.exit_code, 11) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\nNo hypothesis explains it:\n"));

  folder_.write("log.csv", "probe,kernel,block,sm\nnone,k1,0,0\n");
  EXPECT_EQ(score("kit --log log.csv").exit_code, 2);
  EXPECT_THAT(score("kit --log log.csv").err, HasSubstr("log.csv:2: the kit has no probe none"));
  folder_.write("log.csv", "block,sm\n0,0\n");
  EXPECT_THAT(score("kit --log log.csv").err, HasSubstr("must name the columns"));
  EXPECT_THAT(score("kit").err, HasSubstr("Give --oracle or --log"));
}

TEST_F(KitCommand, ALogThatWasCutOffHasBlocksMissing) {
  make("algorithm-1 --device four.json");
  const std::string whole = folder_.read("kit/placements.csv");
  folder_.write("log.csv", whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
  const Ended ended = score("kit --log log.csv");
  EXPECT_EQ(ended.exit_code, 11) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Blocks missing: the log ends in "),
                               HasSubstr("but the last 1 block; was it cut off?\n"),
                               Not(HasSubstr("No hypothesis explains"))));
  EXPECT_EQ(parse_json(score("kit --log log.csv --json").out, "json")["cut_off"]["blocks"], 1);
  folder_.write("log.csv", whole.substr(0, whole.size() - 1));
  EXPECT_THAT(score("kit --log log.csv").err, HasSubstr("does not end: was the file cut off"));
}

/// A simulator of traces cannot release.
TEST_F(KitCommand, ScoresALogThatEndsBeforeTheFirstReleaseAsFarAsThat) {
  make("algorithm-1 --device four.json");
  std::istringstream golden(folder_.read("kit/golden.jsonl"));
  std::map<std::string, int> releases;
  for (std::string line; std::getline(golden, line);) {
    const Json json = parse_json(line, "golden.jsonl");
    if (!json.contains("script")) continue;
    int step = 0;
    while (step < std::ssize(json["script"]) && json["script"][step].contains("launch")) ++step;
    if (step < std::ssize(json["script"])) releases[json["name"]] = step;
  }
  ASSERT_FALSE(releases.empty());
  std::istringstream lines(folder_.read("kit/placements.csv"));
  std::string log;
  std::string wrong;
  int left_out = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comma = line.find(',');
    const auto release = releases.find(line.substr(0, comma));
    if (release != releases.end() && std::stoi(line.substr(comma + 1)) >= release->second) {
      ++left_out;
      continue;
    }
    log += line + '\n';
    if (line.ends_with(",3")) line.back() = '0';
    wrong += line + '\n';
  }
  ASSERT_GT(left_out, 0);
  folder_.write("log.csv", log);
  const Ended ended = score("kit --log log.csv");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  folder_.write("log.csv", wrong);
  EXPECT_EQ(score("kit --log log.csv").exit_code, 11);
}

/// What real GPUs were seen to do, as far as that was recorded.
TEST_F(KitCommand, IsMadeOfRecordings) {
  make(CUVIER_SOURCE_DIR "/corpus");
  const Ended ended = score("kit/rtx3090/wilde --oracle sim:rtx3090,rtx3090-as-recorded");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, StartsWith("33 of 33 probes as on the GPU"));
}

TEST_F(KitCommand, HasTracesForAccelSim) {
  make("algorithm-1 --device rtx3090");
  EXPECT_THAT(folder_.read("kit/accel-sim/gpgpusim.config"),
              AllOf(HasSubstr("-gpgpu_n_clusters 41\n-gpgpu_n_cores_per_cluster 2\n"),
                    HasSubstr("-gpgpu_shader_core_pipeline 1536:32\n")));
  int traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path("kit/accel-sim"))) {
    if (!entry.is_directory()) continue;
    ++traces;
    const std::string probe = "kit/accel-sim/" + entry.path().filename().string();
    EXPECT_THAT(folder_.read(probe + "/kernelslist.g"), StartsWith("kernel-1.traceg\n"));
    const std::string trace = folder_.read(probe + "/kernel-1.traceg");
    EXPECT_THAT(trace, AllOf(StartsWith("-kernel name = "), HasSubstr("\n-grid dim = ("),
                             HasSubstr("\n-nregs = "), HasSubstr("\n-binary version = 86\n"),
                             HasSubstr("\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\n")));
    EXPECT_TRUE(trace.ends_with("\n#END_TB\n"));
  }
  EXPECT_GT(traces, 0);
}

/// Blocks of a trace start when their kernels are launched, or not at all.
TEST_F(KitCommand, ReadsLogsWithoutSteps) {
  make("algorithm-1 --device four.json");
  std::map<std::string, Json> scripts;
  std::istringstream golden(folder_.read("kit/golden.jsonl"));
  for (std::string line; std::getline(golden, line);) {
    const Json json = parse_json(line, "golden");
    if (json["type"] == "recording") scripts[json["name"]] = json["script"];
  }
  const auto is_launch_before_any_release = [&](const std::string& probe, std::size_t step,
                                                const std::string& kernel) {
    const Json& script = scripts.at(probe);
    return std::all_of(script.begin(), script.begin() + static_cast<std::ptrdiff_t>(step) + 1,
                       [](const Json& action) { return action.contains("launch"); }) &&
           script[step]["launch"] == kernel;
  };
  std::istringstream lines(folder_.read("kit/placements.csv"));
  std::string log = "probe,kernel,block,sm\n";
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string probe, step, kernel, rest;
    std::getline(cells, probe, ',');
    std::getline(cells, step, ',');
    std::getline(cells, kernel, ',');
    std::getline(cells, rest);
    if (is_launch_before_any_release(probe, std::stoul(step), kernel)) {
      log += fmt::format("{},{},{}\n", probe, kernel, rest);
    }
  }
  folder_.write("log.csv", log);
  const Ended ended = score("kit --log log.csv");
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
}

TEST_F(KitCommand, NamesAFolderThatItCannotRead) {
  std::filesystem::create_directories(folder_.path("recorded"));
  std::filesystem::create_symlink("deep", folder_.path("recorded/deep"));  // even root cannot
  const Ended ended = run_cuvier(folder_, "kit recorded --out kit");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_EQ(ended.err, "cuvier: recorded/deep: Too many levels of symbolic links\n");
}

TEST_F(KitCommand, LeavesNothingHalfMade) {
  std::filesystem::create_directories(folder_.path("recorded"));
  std::filesystem::copy(table2, folder_.path("recorded/a.jsonl"));
  folder_.write("recorded/b.jsonl", "none\n");
  EXPECT_EQ(run_cuvier(folder_, "kit recorded --out made/kit").exit_code, bad_input);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("made")));
  std::filesystem::remove(folder_.path("recorded/b.jsonl"));
  EXPECT_EQ(run_cuvier(folder_, "kit recorded --out made/kit/").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.path("made/kit/a/golden.jsonl")));
}

TEST_F(KitCommand, KeepsWhatIsThere) {
  make("algorithm-1 --device four.json");
  EXPECT_EQ(run_cuvier(folder_, "kit algorithm-1 --device four.json --out kit").exit_code, 2);
}

}  // namespace
}  // namespace cuvier
