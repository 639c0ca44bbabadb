// What is proved of every scheduler holds of every hypothesis that it speaks of.

#include <gtest/gtest.h>

#include "tests/law/planted.h"
#include "uses/fits/fits.h"

namespace cuvier {
namespace {

/// Any hypothesis with documented units, of which no rule but room makes a block wait.
Hypothesis wasting_nothing(const Device& device, Rng& rng) {
  Hypothesis hypothesis = random_hypothesis(device, rng);
  while (hypothesis.get<Selection>() == Selection::sticky_round_robin) {
    hypothesis = random_hypothesis(device, rng);
  }
  hypothesis.set<RegisterGranularity>(RegisterGranularity::r256);
  hypothesis.set<SharedGranularity>(SharedGranularity::b128);
  hypothesis.set<RuntimeShared>(RuntimeShared::b1024);
  hypothesis.set<ConfigRounding>(ConfigRounding::largest);
  return hypothesis;
}

std::vector<Kernel> random_kernels(Rng& rng) {
  std::vector<Kernel> kernels;
  const int count = uniform(rng, 1, 4);
  for (int k = 0; k < count; ++k) {
    Kernel kernel =
        samples::kernel("k" + std::to_string(k), uniform(rng, 1, 24), 32 * uniform(rng, 1, 16));
    kernel.registers = 8 * uniform(rng, 2, 16);
    kernel.shared = 1024 * uniform(rng, 0, 40);
    kernels.push_back(kernel);
  }
  return kernels;
}

TEST(EveryHypothesisTest, StrandsNothingWhereNoSchedulerDoes) {
  const Device device = small_device(6);
  Rng rng(11);
  int proved = 0;
  int stranded = 0;
  for (int point = 0; point < 1500; ++point) {
    std::vector<Kernel> kernels = random_kernels(rng);
    for (Kernel& kernel : kernels) {
      while (!is_legal(kernel, device)) kernel.registers -= 8;
    }
    const Hypothesis hypothesis = wasting_nothing(device, rng);
    const Orders seen = orders(device, hypothesis, kernels);
    ASSERT_TRUE(seen.all_seen);
    if (!seen.stranding && point % 8 != 0) continue;  // a proof takes longer
    stranded += seen.stranding.has_value();
    const std::vector<Kernel> kinds = demands_of(kernels);
    auto claim =
        nothing_is_stranded(device, kinds, static_cast<int>(kinds.size()), device.largest_config());
    ASSERT_TRUE(claim);
    const bool holds = prove(std::move(*claim), {}).holds();
    EXPECT_FALSE(holds && seen.stranding) << describe(hypothesis);
    proved += holds;
    if (stranded + proved > 300) break;
  }
  EXPECT_GT(stranded, 50);
  EXPECT_GT(proved, 10);
}

TEST(EveryHypothesisTest, EveryStrandingOrderIsConfirmedByPrediction) {
  const Device device = small_device(6);
  Rng rng(12);
  int confirmed = 0;
  for (int point = 0; point < 400; ++point) {
    std::vector<Kernel> kernels = random_kernels(rng);
    for (Kernel& kernel : kernels) {
      while (!is_legal(kernel, device)) kernel.registers -= 8;
    }
    const Hypothesis hypothesis = random_hypothesis(device, rng);
    const Orders seen = orders(device, hypothesis, kernels);
    if (!seen.stranding) continue;
    const Probe probe = probe_of(*seen.stranding, kernels, "order");
    int waiting = 0;
    for (const Kernel& kernel : probe.kernels) waiting += kernel.blocks;
    for (const Step& step : predict(device, hypothesis, probe).steps) {
      for (const Started& started : step.started) {
        waiting -= static_cast<int>(started.block.size());
      }
    }
    int said = 0;
    for (const auto& [kernel, blocks] : seen.stranding->stranded) said += blocks;
    ASSERT_EQ(waiting, said) << describe(hypothesis);
    ++confirmed;
  }
  EXPECT_GT(confirmed, 100);
}

}  // namespace
}  // namespace cuvier
