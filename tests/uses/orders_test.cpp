// What is said of all orders of launches, beside each of them, predicted by itself.

#include "uses/fits/orders.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "tests/law/planted.h"
#include "uses/fits/fits.h"

namespace cuvier {
namespace {

/// Of one SM, on which the pointer decides who fits.
Device one_sm() {
  Device device = small_device(1);
  device.max_blocks_per_sm = 8;
  device.max_warps_per_sm = 48;
  device.registers_per_sm = 32768;
  device.shared_configs = {64 * 1024};
  device.max_shared_per_block = 63 * 1024;
  return device;
}

Kernel kernel_of(const std::string& name, int blocks, int threads, int registers) {
  Kernel kernel = samples::kernel(name, blocks, threads);
  kernel.registers = registers;
  return kernel;
}

std::vector<int> kernels_of(const Order& order) {
  std::vector<int> kernels;
  for (const Arrival& arrival : order.arrivals) kernels.push_back(arrival.kernel);
  return kernels;
}

/// Whether every block gets a place where the kernels arrive in this order, each once the ones
/// before it are placed or stuck.
bool places_all(const Device& device, const Hypothesis& hypothesis,
                const std::vector<Kernel>& kernels, const std::vector<int>& arrivals) {
  Order order;
  for (const int k : arrivals) order.arrivals.push_back({k});
  int left = 0;
  for (const Kernel& kernel : kernels) left += kernel.blocks;
  for (const Step& step : predict(device, hypothesis, probe_of(order, kernels, "order")).steps) {
    for (const Started& started : step.started) left -= static_cast<int>(started.block.size());
  }
  return left == 0;
}

TEST(Orders, WhatWaitsMayFitOnceAnotherKernelMovedThePointer) {
  Hypothesis hypothesis;
  hypothesis.set<Queue>(Queue::skip_ahead);
  const std::vector<Kernel> kernels = {kernel_of("a", 1, 64, 16), kernel_of("b", 2, 64, 96),
                                       kernel_of("c", 1, 64, 192)};
  ASSERT_TRUE(places_all(one_sm(), hypothesis, kernels, {2, 1, 0}));
  const Orders seen = orders(one_sm(), hypothesis, kernels);
  EXPECT_TRUE(seen.safe);
  EXPECT_NE(fits(one_sm(), {hypothesis}, {kernels}).verdict, Fits::Verdict::never);
}

TEST(Orders, StrandWhatWaitsWhateverElseArrives) {
  std::vector<Kernel> kernels = {kernel_of("a", 1, 32, 192), kernel_of("b", 1, 64, 16),
                                 kernel_of("c", 2, 64, 128)};
  kernels[1].priority = -1;
  ASSERT_TRUE(places_all(one_sm(), {}, kernels, {0, 2, 1}));
  const Orders seen = orders(one_sm(), {}, kernels);
  ASSERT_TRUE(seen.stranding);
  EXPECT_NE(kernels_of(*seen.stranding), (std::vector{0, 2}));
}

/// Blocks that wait are what these are about: one SM is soon full.
std::vector<Kernel> crowding_kernels(Rng& rng) {
  std::vector<Kernel> kernels;
  for (int k = 0, count = uniform(rng, 2, 4); k < count; ++k) {
    kernels.push_back(kernel_of("k" + std::to_string(k), uniform(rng, 1, 3),
                                32 * uniform(rng, 1, 5), 16 * uniform(rng, 1, 12)));
    kernels.back().priority = uniform(rng, 0, 2) == 0 ? -1 : 0;
  }
  return kernels;
}

TEST(Orders, AreWhatEachOfThemLeadsTo) {
  const Device device = one_sm();
  Rng rng(1);
  int freed = 0;     // sets of which a waiting block finds a place later
  int stranded = 0;  // by some orders, not by all
  int never = 0;
  for (int point = 0; point < 6000; ++point) {
    const std::vector<Kernel> kernels = crowding_kernels(rng);
    Hypothesis hypothesis = random_hypothesis(device, rng);
    hypothesis.set<DispatchBatch>(DispatchBatch::single);  // no outcome is left to chance
    const Orders seen = orders(device, hypothesis, kernels);
    ASSERT_TRUE(seen.all_seen);
    std::vector<int> order(kernels.size());
    std::iota(order.begin(), order.end(), 0);
    int safe = 0;
    int unsafe = 0;
    const std::string what = describe(hypothesis);
    do {
      const bool all = places_all(device, hypothesis, kernels, order);
      (all ? safe : unsafe) += 1;
      if (all && seen.stranding && seen.stranding->is_settled()) {
        const std::vector<int> stranding = kernels_of(*seen.stranding);
        EXPECT_FALSE(std::equal(stranding.begin(), stranding.end(), order.begin())) << what;
      }
    } while (std::ranges::next_permutation(order).found);
    EXPECT_TRUE(safe == 0 || seen.safe) << what;
    EXPECT_TRUE(unsafe == 0 || seen.stranding) << what;
    never += safe == 0;
    stranded += safe > 0 && unsafe > 0;
    freed += seen.safe && seen.stranding && seen.stranding->arrivals.size() == kernels.size();
  }
  EXPECT_GT(never, 100);
  EXPECT_GT(stranded, 50);
  EXPECT_GT(freed, 10);
}

}  // namespace
}  // namespace cuvier
