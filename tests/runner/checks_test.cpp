#include "probes/gpu/checks/checks.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "tests/runner/simulated_device.h"

namespace cuvier::gpu {
namespace {

constexpr Patience patience{.quiet = microseconds{500}};

SimulatedDevice rtx3090(const std::string& mechanism = {}, Manners manners = {}) {
  return SimulatedDevice(find_device("rtx3090"),
                         mechanism.empty() ? Hypothesis{} : hypothesis_from_text(mechanism),
                         manners);
}

TEST(Checks, FindOneBlockOnEachSm) {
  SimulatedDevice device = rtx3090();
  const CheckResult good = check_one_block_per_sm(device, patience);
  EXPECT_TRUE(good["every_sm_once"]) << good;
  EXPECT_FALSE(good["warp_slots_distinct"]) << "a simulator's slots are subpartitions";
  EXPECT_EQ(good["orders"], 1);
  EXPECT_EQ(good["order"].size(), 82U);
  // Where cursors survive, each run begins elsewhere.
  SimulatedDevice moving = rtx3090("selection=round_robin,cursor_reset=never");
  Probe one;
  one.name = "one";
  one.kernels = {moving.smallest_block()};
  one.script = {{0, {}}};
  run_probe(moving, one, patience);
  EXPECT_NE(check_one_block_per_sm(moving, patience)["order"], good["order"]);
  // Two such blocks fit on an SM of this one.
  SimulatedDevice filling(find_device("h200"), hypothesis_from_text("selection=first_fit"));
  EXPECT_FALSE(check_one_block_per_sm(filling, patience)["every_sm_once"]);
}

TEST(Checks, SeeThatAKernelWaitsForRoomAndThenStarts) {
  SimulatedDevice device = rtx3090();
  const Clock::time_point begin = device.now();
  const CheckResult seen = check_waiting(device, patience);
  EXPECT_TRUE(seen["ok"]) << seen;
  EXPECT_EQ(seen["started_without_room"], 0);
  EXPECT_GE(device.now() - begin, std::chrono::milliseconds{50});
}

TEST(Checks, CountResidentKernels) {
  SimulatedDevice device = rtx3090();
  EXPECT_TRUE(check_resident_kernels(device, patience)["ok"]);
  Device few = find_device("rtx3090");
  few.max_resident_kernels = 16;
  Device promised = few;
  promised.max_resident_kernels = 128;
  SimulatedDevice less(few, {});
  const CheckResult seen = check_resident_kernels(less, patience);
  EXPECT_FALSE(seen["ok"]);
  EXPECT_EQ(seen["resident_of"]["33"], 16);
}

TEST(Checks, FindTheClocksStep) {
  Manners manners;
  manners.start_to_start = microseconds{3};
  SimulatedDevice device = rtx3090({}, manners);
  const CheckResult seen = check_clock(device, patience);
  EXPECT_TRUE(seen["ok"]) << seen;
  EXPECT_EQ(seen["step_ns"], 3000);
}

TEST(Checks, FindWhatACarveOutWaitsFor) {
  const std::map<std::string, std::string> expected = {{"tpc", "its TPC"}, {"sm", "its SM"}};
  for (const auto& [scope, waits_for] : expected) {
    SimulatedDevice device = rtx3090("config_scope=" + scope);
    EXPECT_EQ(check_carve_out(device, patience)["waits_for"], waits_for);
  }
}

TEST(Checks, CountWarpSlotsByResidue) {
  SimulatedDevice device = rtx3090();
  const CheckResult seen = check_warp_slots(device, patience);
  EXPECT_TRUE(seen["ok"]) << seen;
  EXPECT_EQ(seen["seen"][0]["blocks_by_residue"], nlohmann::ordered_json({2, 2, 2, 2}));
}

TEST(Checks, HoldResidencyAgainstACalculation) {
  SimulatedDevice device = rtx3090();
  const auto right = [&](const Kernel& kernel) {
    const int registers = 65536 / (kernel.registers <= 16   ? 2048
                                   : kernel.registers <= 32 ? 4096
                                                            : 32768);
    const int shared = kernel.shared == 0 ? 16 : 100 * 1024 / (kernel.shared + 1024);
    return std::min({registers, shared, 12});
  };
  const CheckResult seen = check_occupancy(device, patience, right);
  EXPECT_TRUE(seen["ok"]) << seen;
  EXPECT_EQ(seen["tried"], 12);  // 100 KiB are more than a block may have
  const CheckResult wrong =
      check_occupancy(device, patience, [&](const Kernel& k) { return right(k) + 1; });
  EXPECT_EQ(wrong["differing"].size(), 12U);
}

}  // namespace
}  // namespace cuvier::gpu
