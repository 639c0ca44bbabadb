#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hypotheses/sms_of_steps.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::launch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Kernels of which a block asks the same have grids of their own all the same.
TEST(Admission, ReadsTheKernelsOwnGrid) {
  const Probe probe{
      "p", {samples::kernel("two", 2, 32), samples::kernel("four", 4, 32)}, {launch(0), launch(1)}};
  EXPECT_THAT(sms_of_steps("config_scope=none,admission=grid > 2 or sm == 3", probe),
              ElementsAre(ElementsAre(3, 3), ElementsAre(0, 1, 2, 0)));
}

/// An idle SM is not for those that are less urgent than anything on the device.
TEST(Admission, ReadsTheMostUrgentBlockOfTheDevice) {
  Kernel urgent = samples::kernel("urgent", 1, 32);
  urgent.priority = -1;
  const Probe probe{"p",
                    {samples::kernel("a", 1, 32), urgent, samples::kernel("b", 2, 32)},
                    {launch(0), launch(1), launch(2)}};
  EXPECT_THAT(
      sms_of_steps("config_scope=none,admission=blocks > 0 or device_urgent >= priority", probe),
      ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(0, 1)));
}

}  // namespace
}  // namespace cuvier
