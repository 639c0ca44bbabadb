#include "hypotheses/grids.h"

#include <gtest/gtest.h>

#include "tests/law/planted.h"
#include "tests/law/wide_probes.h"

namespace cuvier {
namespace {

std::vector<int> predicted(const Device& device, const Hypothesis& hypothesis, Kernel kernel,
                           int blocks) {
  kernel.blocks = blocks;
  const Observation seen = predict(device, hypothesis, Probe{"", {kernel}, {{0, {}}}});
  const auto& started = seen.steps[0].started;
  return started.empty() ? std::vector<int>{} : started[0].sm;
}

/// In steps of all lengths, from one block to more than fit.
TEST(Grids, ArePredictedAsEachIsByItself) {
  const Device device = small_device(6);
  Rng rng(1);
  int paired = 0;
  for (int point = 0; point < 400; ++point) {
    const Hypothesis hypothesis = random_hypothesis(device, rng);
    const Kernel kernel = wide_kernel(device, 1, rng);
    const int longest_step = uniform(rng, 1, 30);
    paired += hypothesis.get<DispatchBatch>() == DispatchBatch::pair;
    Grids grids(device, hypothesis, kernel);
    const int most = device.sms * device.max_blocks_per_sm + 4 * device.sms;
    for (int blocks = 1; blocks <= most; blocks += uniform(rng, 0, longest_step)) {
      ASSERT_EQ(grids.sms_of(blocks), predicted(device, hypothesis, kernel, blocks))
          << describe(hypothesis) << ", " << blocks << " blocks";
    }
  }
  EXPECT_GT(paired, 100);
}

}  // namespace
}  // namespace cuvier
