#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::launch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Where the blocks that start with each action go, on four SMs in ascending order.
std::vector<std::vector<int>> sms_of_steps(const std::string& admission, const Probe& probe) {
  Simulator simulator(samples::device(),
                      hypothesis_from_text("hierarchy=flat,tie_break=linear,config_scope=none,"
                                           "admission=" +
                                           admission));
  std::vector<std::vector<int>> sms;
  for (const Step& step : simulator.run(probe).steps) {
    auto& of_step = sms.emplace_back();
    for (const Started& started : step.started) {
      of_step.insert(of_step.end(), started.sm.begin(), started.sm.end());
    }
  }
  return sms;
}

/// Kernels of which a block asks the same have grids of their own all the same.
TEST(Admission, ReadsTheKernelsOwnGrid) {
  const Probe probe{
      "p", {samples::kernel("two", 2, 32), samples::kernel("four", 4, 32)}, {launch(0), launch(1)}};
  EXPECT_THAT(sms_of_steps("grid > 2 or sm == 3", probe),
              ElementsAre(ElementsAre(3, 3), ElementsAre(0, 1, 2, 0)));
}

/// An idle SM is not for those that are less urgent than anything on the device.
TEST(Admission, ReadsTheMostUrgentBlockOfTheDevice) {
  Kernel urgent = samples::kernel("urgent", 1, 32);
  urgent.priority = -1;
  const Probe probe{"p",
                    {samples::kernel("a", 1, 32), urgent, samples::kernel("b", 2, 32)},
                    {launch(0), launch(1), launch(2)}};
  EXPECT_THAT(sms_of_steps("blocks > 0 or device_urgent >= priority", probe),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(0, 1)));
}

}  // namespace
}  // namespace cuvier
