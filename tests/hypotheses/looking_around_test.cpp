#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hypotheses/simulator.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::launch;
using ::testing::ElementsAre;

/// On one SM, behind a warp of 200 registers: the subpartition of each warp of a block.
std::vector<int> warps_behind_a_heavy_one(const std::string& placement, int warps, int registers) {
  Device device = samples::device();
  device.sms = device.sms_per_tpc = 1;
  Kernel heavy = samples::kernel("heavy", 1, kThreadsPerWarp);
  heavy.registers = 200;
  Kernel kernel = samples::kernel("kernel", 1, kThreadsPerWarp * warps);
  kernel.registers = registers;
  Simulator simulator(device, hypothesis_from_text("config_scope=none,warp_placement=" + placement));
  const Probe probe{"p", {heavy, kernel}, {launch(0), launch(1)}};
  const Observation seen = simulator.run(probe);
  if (seen.steps.back().started.empty()) return {};
  std::vector<int> subpartitions;
  for (const int slot : seen.steps.back().started.front().warp_slot[0]) {
    subpartitions.push_back(slot % kSubpartitions);
  }
  return subpartitions;
}

TEST(LookingAround, TellsSlotsFromRegistersAndRoom) {
  EXPECT_THAT(warps_behind_a_heavy_one("emptiest", 6, 16), ElementsAre(1, 2, 3, 0, 1, 2));
  EXPECT_THAT(warps_behind_a_heavy_one("lightest", 6, 16), ElementsAre(1, 2, 3, 1, 2, 3));
  EXPECT_THAT(warps_behind_a_heavy_one("roomiest", 6, 16), ElementsAre(1, 2, 3, 0, 1, 2));
  EXPECT_THAT(warps_behind_a_heavy_one("roomiest", 6, 128), ElementsAre(1, 2, 3, 1, 2, 3));
  // The pointer is at 1 behind the heavy warp.
  EXPECT_THAT(warps_behind_a_heavy_one("onward", 5, 16), ElementsAre(1, 2, 3, 0, 1));
  EXPECT_THAT(warps_behind_a_heavy_one("i < 2 ? 3 : emptiest", 4, 16), ElementsAre(3, 3, 0, 1));
}

/// A kernel's blocks stay near its first one, wherever there is most room.
TEST(LookingAround, KnowsWhereTheKernelBegan) {
  Simulator simulator(samples::device(),
                      hypothesis_from_text("config_scope=none,hierarchy=flat,tie_break=linear,"
                                           "selection=(sm / 2 == home / 2 ? 0 : 1, -room)"));
  const Probe probe{"p",
                    {samples::kernel("a", 3, 1024), samples::kernel("b", 1, 32)},
                    {launch(0), launch(1)}};
  const auto steps = simulator.run(probe).steps;
  ASSERT_EQ(steps[1].started.size(), 1);
  EXPECT_THAT(steps[0].started.front().sm, ElementsAre(0, 1, 2));
  EXPECT_THAT(steps[1].started.front().sm, ElementsAre(3));
}

}  // namespace
}  // namespace cuvier
