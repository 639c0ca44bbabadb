#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Completion : public ::testing::Test {
 protected:
  /// What bash offers at the end of the line.
  std::vector<std::string> offered(const std::string& line) {
    folder_.write("complete.sh", CUVIER_BINARY
                                     " completion bash > c.sh && . ./c.sh && COMP_LINE='" +
                                     line + "' COMP_POINT=" + std::to_string(line.size()) +
                                     " && _cuvier && printf '%s\\n' \"${COMPREPLY[@]}\"");
    const int status = std::system(
        ("cd '" + folder_.path("") + "' && bash complete.sh >offered.txt 2>&1").c_str());
    EXPECT_EQ(status, 0) << folder_.read("offered.txt");
    std::istringstream lines(folder_.read("offered.txt"));
    std::vector<std::string> words;
    for (std::string word; std::getline(lines, word);) words.push_back(word);
    return words;
  }

  samples::Folder folder_;
};

TEST_F(Completion, OfCommandsOptionsAndTheirValues) {
  EXPECT_THAT(offered("cuvier inf"), ElementsAre("infer"));
  EXPECT_THAT(offered("cuvier infer --max"), ElementsAre("--max-probes"));
  EXPECT_THAT(offered("cuvier predict --device rtx3"), ElementsAre("rtx3090"));
  EXPECT_THAT(offered("cuvier distinguish algorithm-1-"), ElementsAre("algorithm-1-as-printed"));
  EXPECT_THAT(offered("cuvier infer --json x --oracle "), Contains("gpu"));
}

/// The words of the shell end at = and :.
TEST_F(Completion, OfWhatBashTakesForSeveralWords) {
  EXPECT_THAT(offered("cuvier infer --assume queue=sk"), ElementsAre("skip_ahead"));
  EXPECT_THAT(offered("cuvier infer --oracle sim:rtx30"), ElementsAre("rtx3090"));
}

TEST_F(Completion, OfFilesWhereNothingElseIsKnown) {
  folder_.write("mine.jsonl", "");
  EXPECT_THAT(offered("cuvier check mi"), ElementsAre("mine.jsonl"));
}

TEST_F(Completion, IsWrittenForOtherShells) {
  EXPECT_THAT(run_cuvier(folder_, "completion fish").out,
              HasSubstr("complete -c cuvier -n '__fish_seen_subcommand_from infer' -l oracle"));
  EXPECT_THAT(run_cuvier(folder_, "completion zsh").out, StartsWith("#compdef cuvier"));
  EXPECT_EQ(run_cuvier(folder_, "completion csh").exit_code, 2);
}

TEST_F(Completion, AndTheManualKnowEveryCommand) {
  const std::string manual = run_cuvier(folder_, "manual").out;
  EXPECT_THAT(manual, StartsWith(".TH CUVIER 1"));
  for (const std::string& command : offered("cuvier ")) {
    if (command.starts_with("--")) continue;
    const std::string name = std::regex_replace(command, std::regex("-"), "\\-");
    EXPECT_THAT(manual, HasSubstr(".SS cuvier " + name + "\n"));
    EXPECT_EQ(run_cuvier(folder_, command + " --help").exit_code, 0) << command;
  }
  // No line of a text is taken for a request.
  std::istringstream lines(manual);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('.')) continue;
    EXPECT_THAT(line, testing::ContainsRegex(R"(^\.(TH|SH|SS|TP|PP|nf|fi)( |$))"));
  }
}

}  // namespace
}  // namespace cuvier
