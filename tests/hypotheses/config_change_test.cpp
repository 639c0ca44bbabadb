#include <gtest/gtest.h>

#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// Kernels on a T4, whose TPCs have 32 or 64 KiB of shared memory. By default the small one prefers
/// the lesser, the large one the other.
class ConfigChangeTest : public ::testing::Test {
 protected:
  static Simulator under(const std::string& model) {
    return {device(), hypothesis_from_text(model)};
  }
  static Device device() { return find_device("t4"); }
  static Kernel of(std::string name, int blocks, int shared) {
    Kernel kernel;
    kernel.name = std::move(name);
    kernel.blocks = blocks;
    kernel.threads = 1024;
    kernel.registers = 32;
    kernel.shared = shared;
    return kernel;
  }
  static Kernel small() { return of("small", 1, 1024); }
  static Kernel large() { return of("large", 1, 40 * 1024); }

  /// The second kernel is to share a TPC with the first, so the first is on all of them.
  static Probe one_behind_the_other(Kernel first, const Kernel& second) {
    first.blocks = device().sms / 2;
    return {"p", {first, second}, {{0, {}}, {1, {}}}};
  }
  static bool second_waits(Simulator& simulator, const Probe& probe) {
    return simulator.run(probe).steps[1].started.empty();
  }
};

constexpr auto kNeverSmaller = "config_change=idle > 0 ? max(current, preferred) : current";
constexpr auto kWidens = "config_change=max(current, preferred)";

TEST_F(ConfigChangeTest, ABusyTpcKeepsItsOwnAndAnIdleOneForgetsIt) {
  Simulator simulator = under("algorithm-1");
  const Probe probe = one_behind_the_other(small(), large());
  EXPECT_TRUE(second_waits(simulator, probe));
  simulator.run({"filled", {of("large", device().sms, 40 * 1024)}, {{0, {}}}});
  EXPECT_TRUE(second_waits(simulator, probe));
}

TEST_F(ConfigChangeTest, WhatIsRememberedShowsInALaterProbeOfTheSession) {
  Simulator simulator = under(kNeverSmaller);
  const Probe probe = one_behind_the_other(small(), large());
  const Probe filled{"filled", {of("large", device().sms, 40 * 1024)}, {{0, {}}}};
  EXPECT_TRUE(second_waits(simulator, probe));
  simulator.preview(filled);
  EXPECT_TRUE(second_waits(simulator, probe)) << "a preview leaves nothing";
  simulator.run(filled);
  EXPECT_FALSE(second_waits(simulator, probe));
  const Simulator copy(simulator);
  EXPECT_TRUE(copy.is_where(simulator));
  simulator.begin_session();
  EXPECT_FALSE(copy.is_where(simulator));
  EXPECT_TRUE(second_waits(simulator, probe));
}

/// Rules are known by where their kernel is, and an opening's may be where an earlier probe's was.
TEST_F(ConfigChangeTest, AnOpeningIsNotTakenForAnEarlierProbe) {
  Simulator simulator = under(kNeverSmaller);
  Probe filled{"filled", {of("k", device().sms, 40 * 1024)}, {{0, {}}}};
  const std::vector<Fact> facts = facts_of(seen_through({}, simulator.run(filled)), filled);
  filled.kernels[0].shared = 1024;
  const InitialObservation opening(std::move(filled), facts, Place("opening"));
  simulator.begin_session(&opening);
  EXPECT_TRUE(second_waits(simulator, one_behind_the_other(small(), large())));
}

TEST_F(ConfigChangeTest, ABusyTpcMayBeWidened) {
  Simulator simulator = under(kWidens);
  EXPECT_FALSE(second_waits(simulator, one_behind_the_other(small(), large())));
}

TEST_F(ConfigChangeTest, WhatIsBeyondASmallerConfigurationStays) {
  // 40 KiB of each SM are held as a block comes that prefers 32: nothing is free for it.
  Simulator simulator = under("config_change=preferred,runtime_shared=0");
  Kernel narrow = of("narrow", device().sms, 40 * 1024);
  narrow.threads = 512;
  Kernel little = small();
  little.threads = 32;
  Kernel nothing = little;
  nothing.shared = 0;
  EXPECT_TRUE(second_waits(simulator, {"p", {narrow, little}, {{0, {}}, {1, {}}}}));
  EXPECT_FALSE(second_waits(simulator, {"p", {narrow, nothing}, {{0, {}}, {1, {}}}}));
}

}  // namespace
}  // namespace cuvier
