#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hypotheses/sms_of_steps.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::launch;
using samples::release;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A block that leaves puts its SM behind all others; nothing else is asked.
TEST(Mark, MakesAQueueOfSms) {
  const Probe probe{"p",
                    {samples::kernel("a", 4, 32), samples::kernel("b", 4, 32)},
                    {launch(0), release(0, {0}), launch(1)}};
  const std::string queue = "selection=mark,mark=chosen == 1 or gone > 0 ? most + 1 : mark";
  EXPECT_THAT(sms_of_steps(queue, probe),
              ElementsAre(ElementsAre(0, 1, 2, 3), IsEmpty(), ElementsAre(1, 2, 3, 0)));
  const std::string of_the_chosen = "selection=mark,mark=chosen == 1 ? most + 1 : mark";
  EXPECT_THAT(sms_of_steps(of_the_chosen, probe).back(), ElementsAre(0, 1, 2, 3));
}

/// What leaves together is written down once, and an idle device has forgotten all.
TEST(Mark, CountsWhatLeavesTogetherAndIsGoneOnceTheDeviceIsIdle) {
  const Probe probe{
      "p",
      {samples::kernel("a", 8, 32), samples::kernel("b", 1, 32), samples::kernel("c", 4, 32)},
      {launch(0), release(0, {0, 1, 5}), launch(1), release(0), release(1), launch(2)}};
  EXPECT_THAT(sms_of_steps("selection=mark,mark=gone == 2 ? 0 : mark + chosen", probe),
              ElementsAre(ElementsAre(0, 1, 2, 3, 0, 1, 2, 3), IsEmpty(), ElementsAre(1), IsEmpty(),
                          IsEmpty(), ElementsAre(0, 1, 2, 3)));
}

/// An SM of 48 warps takes nothing from 40 on, until no more than 16 are left.
TEST(Mark, RefusesUntilEnoughHasLeft) {
  const std::vector<Kernel> kernels{samples::kernel("wide", 4, 768),
                                    samples::kernel("more", 4, 512),
                                    samples::kernel("small", 1, 128)};
  const std::string drains =
      "config_scope=none,admission=mark == 0,mark=warps >= 40 ? 1 : warps <= 16 ? 0 : mark";
  const auto small_starts = [&](int leaves) {
    const Probe probe{"p", kernels, {launch(0), launch(1), launch(2), release(leaves)}};
    const auto sms = sms_of_steps(drains, probe);
    EXPECT_THAT(sms[2], IsEmpty());
    return !sms[3].empty();
  };
  EXPECT_TRUE(small_starts(0));
  EXPECT_FALSE(small_starts(1));
}

/// What came, and what stands for all SMs together.
TEST(Mark, KnowsTheBlockThatCameAndHowManySmsAreMarked) {
  const Probe probe{"p",
                    {samples::kernel("a", 4, 32), samples::kernel("b", 1, 32)},
                    {launch(0), launch(1), release(0, {2})}};
  const std::string latest_kernel = "config_scope=none,mark=chosen == 1 ? joined + 1 : mark,";
  EXPECT_THAT(sms_of_steps(latest_kernel + "admission=blocks == 0 or mark == joined + 1", probe),
              ElementsAre(ElementsAre(0, 1, 2, 3), IsEmpty(), ElementsAre(2)));
  const std::string on_two = "config_scope=none,mark=chosen == 1 ? 1 : mark,";
  EXPECT_THAT(sms_of_steps(on_two + "admission=blocks > 0 or marked < 2", probe),
              ElementsAre(ElementsAre(0, 1, 0, 1), ElementsAre(0), IsEmpty()));
}

/// All SMs are asked of what comes to one or leaves it: of what neighbours hold, and of the device.
TEST(Mark, IsOfNeighboursAndOfTheDeviceToo) {
  const Probe probe{"p",
                    {samples::kernel("a", 2, 64), samples::kernel("b", 1, 32)},
                    {launch(0), release(0, {1}), launch(1)}};
  // Block 0 is on SM 0, which has SM 1 for a neighbour; block 1 goes to SM 2 and leaves it.
  const std::string of_neighbours = "config_scope=none,selection=(mark, sm)";
  EXPECT_THAT(
      sms_of_steps(of_neighbours + ",mark=abs(sm - at) == 1 ? mark + more * w : mark", probe),
      ElementsAre(ElementsAre(0, 0), IsEmpty(), ElementsAre(0)));
  const std::string of_the_device = "config_scope=none,selection=mark == 1 ? -sm : sm";
  EXPECT_THAT(sms_of_steps(of_the_device + ",mark=device_blocks == 1 ? 1 : 0", probe),
              ElementsAre(ElementsAre(0, 3), IsEmpty(), ElementsAre(3)));
}

}  // namespace
}  // namespace cuvier
