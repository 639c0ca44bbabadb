#include "uses/simulate/simtbs.h"

#include <gmock/gmock.h>

#include "tests/samples.h"
#include "uses/simulate/simulation.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

constexpr const char* config = R"(# a comment
*general
10000

*sm
2 1 1 6
*mem
15000
*overhead_mem
1 14
*overhead_sm
0.5 0.5
1 1
*kernel
1 10 2 12 6 45
2 1 2 10 3 12
)";

TEST(Simtbs, ConfigurationsAreRead) {
  const SimtbsConfig read = read_simtbs(config, "s.conf");
  EXPECT_EQ(read.device.sms, 2);
  ASSERT_EQ(read.workload.jobs.size(), 2u);
  EXPECT_EQ(read.workload.jobs[0].kernel.name, "k2");  // arrives first
  // Half of an SM's resource is half of its warp slots.
  EXPECT_EQ(2 * read.workload.jobs[0].kernel.warps(), read.device.max_warps_per_sm);
  const WorkloadOutcome outcome = simulate(read.device, plain_hypothesis("bfa"), read.workload);
  EXPECT_DOUBLE_EQ(outcome.jobs[0].turnaround_ms, 15);  // a block on each SM, which is half full
  EXPECT_DOUBLE_EQ(outcome.jobs[1].turnaround_ms, 6 + 24);
}

TEST(Simtbs, WhatIsWrongIsToldWithItsLine) {
  const auto complaint = [](const std::string& text) {
    return samples::message_of([&] { read_simtbs(text, "s.conf"); });
  };
  const std::string text = config;
  EXPECT_THAT(complaint(""), HasSubstr("s.conf:0: the file ends without a *sm section"));
  EXPECT_THAT(complaint("12 13"), HasSubstr("s.conf:1: belongs to no section"));
  EXPECT_THAT(complaint(text.substr(0, text.find("1 10 2"))), HasSubstr("cut short"));
  EXPECT_THAT(complaint(text.substr(0, text.find(" 3 12"))),
              HasSubstr("s.conf:16: has 4 numbers of 5 at least"));
  EXPECT_THAT(complaint(samples::with(text, "1 10 2 12 6", "1 0 2 12 6")),
              HasSubstr("s.conf:15: a kernel arrives before the first tick"));
  EXPECT_THAT(complaint(samples::with(text, "1 10 2 12 6", "1 10 2 12 7")),
              HasSubstr("asks for 7 of the 6"));
  EXPECT_THAT(complaint(samples::with(text, "2 1 1 6", "2 2 2 6 6")), HasSubstr("only one"));
  EXPECT_THAT(complaint(samples::with(text, "2 1 1 6\n", "2 1 1 6\n4 1 1 3\n")),
              HasSubstr("s.conf:7: describes SMs a second time"));
  EXPECT_THAT(complaint(text + "*sm\n4 1 1 3\n"), HasSubstr("s.conf:18: describes SMs a second"));
  EXPECT_THAT(complaint(samples::with(text, "2 1 1 6", "1.5 1 1 6")),
              HasSubstr("s.conf:6: has 1.5 where a whole number is counted"));
  EXPECT_THAT(complaint(samples::with(text, "1 10 2 12 6", "1 10 2.7 12 6")),
              HasSubstr("s.conf:15: has 2.7 where"));
  EXPECT_THAT(complaint(samples::with(text, "1 10 2 12 6", "1 10 2 12x 6")),
              HasSubstr("s.conf:15: has something that is no number"));
}

}  // namespace
}  // namespace cuvier
