#include "probes/gpu/watchdog.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/samples.h"

namespace cuvier::gpu {
namespace {

using namespace std::chrono_literals;
using samples::message_of;

class TimeLimit : public testing::Test {
 protected:
  ~TimeLimit() override { ::unsetenv("CUVIER_TEST_S"); }

  static std::chrono::seconds limit(const char* text, int least) {
    ::setenv("CUVIER_TEST_S", text, 1);
    return time_limit("CUVIER_TEST_S", least, 30s);
  }
};

TEST_F(TimeLimit, IsWhatTheEnvironmentSays) {
  EXPECT_EQ(time_limit("CUVIER_TEST_S", 1, 30s), 30s);
  EXPECT_EQ(limit("7", 1), 7s);
  EXPECT_EQ(limit("0", 0), 0s);
}

TEST_F(TimeLimit, IsNotTakenFromWhatIsNone) {
  for (const char* text : {"0", "-1", "1e3", "abc", "", "5 "}) {
    EXPECT_EQ(
        message_of([&] { limit(text, 1); }),
        "CUVIER_TEST_S takes a number of seconds from 1 on, not \"" + std::string(text) + "\"");
  }
}

}  // namespace
}  // namespace cuvier::gpu
