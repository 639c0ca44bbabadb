#pragma once

#include <gmock/gmock.h>

#include <utility>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {

/// Runs the program in a folder that has four SMs in four.json.
class CuvierTest : public ::testing::Test {
 protected:
  /// All arguments begin with the command: "minimize ".
  explicit CuvierTest(std::string command = "") : command_(std::move(command)) {
    folder_.write("four.json", samples::device_text);
  }

  Ended run(const std::string& arguments) const {
    return run_cuvier(folder_, command_ + arguments);
  }

  Json json_of(const std::string& arguments, int exit_code = 0) const {
    const Ended ended = run(arguments + " --json");
    EXPECT_EQ(ended.exit_code, exit_code) << ended.err;
    return parse_json(ended.out, "stdout");
  }

  /// The line of complaint, after it was seen to be the only one.
  std::string complaint(const std::string& arguments, int exit_code = bad_input) const {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.exit_code, exit_code) << arguments << '\n' << ended.err;
    EXPECT_EQ(ended.out, "") << arguments;
    EXPECT_THAT(ended.err, ::testing::MatchesRegex("cuvier: [^\n]*\n")) << arguments;
    return ended.err.substr(8, ended.err.find('\n') - 8);
  }

  samples::Folder folder_;

 private:
  const std::string command_;
};

}  // namespace cuvier
