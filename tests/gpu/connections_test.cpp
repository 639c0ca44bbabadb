#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/gpu/rehearsal.h"

namespace cuvier {
namespace {

/// Which streams wait for each other may be the driver's doing: fewer connections show that.
TEST_F(Rehearsal, SharesAsManyConnectionsAsItIsTold) {
  const std::string gpu = "h200 CUVIER_FAKE_UNKIND=shared_connections";
  for (const int connections : {1, 8}) {
    std::istringstream lines(
        run(command(gpu, "--self-test --connections " + std::to_string(connections))).text);
    int found = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(R"({"test":"streams")")) continue;
      found = nlohmann::json::parse(line)["connections"];
    }
    EXPECT_EQ(found, connections);
  }
}

TEST_F(Rehearsal, RefusesConnectionsThatThereCannotBe) {
  for (const std::string connections : {"0", "33", "all"}) {
    const Printed printed = run(command("h200", "--connections " + connections));
    EXPECT_EQ(printed.code, 2);
    EXPECT_THAT(printed.text, testing::HasSubstr("--connections takes a number from 1 to 32"));
  }
}

}  // namespace
}  // namespace cuvier
