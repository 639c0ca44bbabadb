#include <gmock/gmock.h>

#include <filesystem>

#include "probes/fact.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImportCommand : public ::testing::Test {
 protected:
  ImportCommand() {
    folder_.write("four.json", samples::device_text);
    folder_.write("table.csv", "block,sm\n0,0\n1,2\n2,0\n3,1\n");
    folder_.write(
        "log.json",
        R"({"scenario_name":"s","times":[{"kernel_name":"K","block_count":2,"thread_count":64,)"
        R"("shared_memory":0,"cuda_launch_times":[1.0,1.1,2.0],)"
        R"("block_times":[1.2,2.0,1.3,2.0],"block_smids":[3,1]}]})");
  }

  Ended import_with(const std::string& arguments) {
    return run_cuvier(folder_,
                      "import " + arguments + " --device four.json --registers 40 --out out.jsonl");
  }
  /// What is in the file that was written.
  Recording imported(const std::string& arguments) {
    const Ended ended = import_with(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("1 recording with 1 fact in out.jsonl"));
    return read_recordings(folder_.path("out.jsonl")).recordings.at(0);
  }

  samples::Folder folder_;
};

TEST_F(ImportCommand, TakesFromATableWhatFoundRoomAtOnce) {
  const Recording first = imported("table.csv --threads 64 --shared 4096 --blocks-per-sm 1");
  EXPECT_EQ(first.probe.kernels[0].shared, 4096);
  EXPECT_EQ(first.probe.kernels[0].threads, 64);
  EXPECT_EQ(first.probe.kernels[0].registers, 40);
  EXPECT_THAT(first.facts[0].values, ElementsAre(0, 2));
  EXPECT_THAT(imported("table.csv --threads 64").facts[0].values, ElementsAre(0, 2, 0, 1));
}

TEST_F(ImportCommand, TakesLogs) {
  const Recording recording = imported("log.json");
  EXPECT_EQ(recording.name(), "s");
  EXPECT_THAT(recording.facts[0].values, ElementsAre(3, 1));
}

TEST_F(ImportCommand, SaysWhatItNeeds) {
  for (const auto& [arguments, complaint] :
       {std::pair("table.csv", "a table needs --threads: of each block"),
        std::pair("log.json table.csv --threads 64", "log.json: import tables (.csv) and logs")}) {
    const Ended ended = import_with(arguments);
    EXPECT_EQ(ended.exit_code, bad_input);
    EXPECT_THAT(ended.err, HasSubstr(complaint));
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out.jsonl")));
  }
}

}  // namespace
}  // namespace cuvier
