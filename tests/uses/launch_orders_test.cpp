#include "uses/order/launch_orders.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "tests/law/planted.h"
#include "uses/simulate/simulation.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Job job(const std::string& name, int blocks, int threads, double block_ms) {
  return {samples::kernel(name, blocks, threads), 0, block_ms};
}

Workload random_jobs(int jobs, Rng& rng) {
  Workload workload;
  for (int k = 0; k < jobs; ++k) {
    Job each = job("k" + std::to_string(k), uniform(rng, 1, 12), 32 * uniform(rng, 1, 16),
                   uniform(rng, 1, 4));
    each.kernel.shared = 8192 * uniform(rng, 0, 5);
    each.kernel.local = 64 * uniform(rng, 0, 2);
    if (uniform(rng, 1, 3) == 1) each.kernel.stream = "s" + std::to_string(uniform(rng, 0, 1));
    workload.jobs.push_back(each);
    if (k > 0 && uniform(rng, 1, 4) == 1) {  // one that is like it
      const std::string name = workload.jobs.back().kernel.name;
      workload.jobs.back() = workload.jobs[uniform(rng, 0, k - 1)];
      workload.jobs.back().kernel.name = name;
    }
  }
  return workload;
}

/// Without anything of what is tested.
LaunchOrder simulated(const Device& device, const Hypothesis& hypothesis, const Workload& workload,
                      const std::vector<int>& jobs) {
  Workload reordered;
  for (const int k : jobs) reordered.jobs.push_back(workload.jobs[k]);
  const WorkloadOutcome outcome = simulate(device, hypothesis, reordered);
  return {jobs, outcome.unfinished(), outcome.makespan_ms};
}

bool keeps_streams(const Workload& workload, const std::vector<int>& jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t j = i + 1; j < jobs.size(); ++j) {
      const auto& stream = workload.jobs[jobs[i]].kernel.stream;
      if (stream && stream == workload.jobs[jobs[j]].kernel.stream && jobs[i] > jobs[j]) {
        return false;
      }
    }
  }
  return true;
}

void expect_alike(const LaunchOrder& a, const LaunchOrder& b) {
  EXPECT_EQ(a.unfinished, b.unfinished);
  EXPECT_NEAR(a.makespan_ms, b.makespan_ms, 1e-9);
}

TEST(LaunchOrders, AreThoseOfBruteForceAndTheHeuristicIsInBetween) {
  Rng rng(3);
  int gains = 0;
  int misses = 0;
  for (int set = 0; set < 60; ++set) {
    const Device device = small_device(uniform(rng, 1, 4));
    const Hypothesis hypothesis = set % 2 == 0 ? Hypothesis{} : random_hypothesis(device, rng);
    const Workload workload = random_jobs(uniform(rng, 1, 5), rng);
    SCOPED_TRACE(describe(hypothesis));

    std::vector<int> jobs(workload.jobs.size());
    for (int k = 0; k < std::ssize(jobs); ++k) jobs[k] = k;
    LaunchOrder best = simulated(device, hypothesis, workload, jobs);
    LaunchOrder worst = best;
    do {
      if (!keeps_streams(workload, jobs)) continue;
      const LaunchOrder order = simulated(device, hypothesis, workload, jobs);
      if (order.is_better_than(best)) best = order;
      if (worst.is_better_than(order)) worst = order;
    } while (std::ranges::next_permutation(jobs).found);

    const LaunchOrders all = launch_orders(device, hypothesis, workload);
    EXPECT_TRUE(all.all_seen);
    EXPECT_EQ(all.simulated, all.count);
    expect_alike(all.best, best);
    expect_alike(all.worst, worst);
    expect_alike(all.best, simulated(device, hypothesis, workload, all.best.jobs));

    const LaunchOrders some = launch_orders(device, hypothesis, workload, {.most_orders = 0});
    EXPECT_FALSE(some.all_seen);
    EXPECT_TRUE(some.no_swap_helps);
    EXPECT_FALSE(some.best.is_better_than(all.best));
    EXPECT_FALSE(some.given.is_better_than(some.best));
    EXPECT_FALSE(some.recommended.is_better_than(some.best));
    for (const LaunchOrder* order : {&all.best, &all.worst, &some.best, &some.recommended}) {
      EXPECT_TRUE(keeps_streams(workload, order->jobs));
      EXPECT_EQ(std::set<int>(order->jobs.begin(), order->jobs.end()).size(), jobs.size());
    }
    gains += all.best.is_better_than(all.given);
    misses += all.best.is_better_than(some.best);
  }
  EXPECT_GT(gains, 5);    // there was something to find
  EXPECT_LT(misses, 20);  // and the heuristic finds most of it
}

TEST(LaunchOrders, ThatAreAlikeAreSeenOnce) {
  Workload workload;
  for (int k = 0; k < 12; ++k) workload.jobs.push_back(job("k" + std::to_string(k), 2, 64, 1));
  workload.jobs.push_back(job("other", 2, 128, 1));
  EXPECT_EQ(launch_orders(small_device(2), {}, workload).simulated, 13);
  for (Job& each : workload.jobs) each.kernel.stream = "s";
  EXPECT_EQ(launch_orders(small_device(2), {}, workload).simulated, 1);
}

TEST(LaunchOrders, MoreThanCanBeSimulatedAreSaidToBe) {
  Rng rng(4);
  Workload workload = random_jobs(6, rng);
  const LaunchOrders found =
      launch_orders(small_device(2), {}, workload, {.most_orders = 0, .most_simulated = 5});
  EXPECT_FALSE(found.all_seen);
  EXPECT_FALSE(found.no_swap_helps);
  EXPECT_EQ(found.simulated, 5);
}

TEST(LaunchOrders, SayHowManyWereTriedAndEndWhereTheyAreTo) {
  Rng rng(4);
  const Workload workload = random_jobs(6, rng);
  Doing last;
  const Task patient([&](const Doing& doing) {
    last = doing;
    return "";
  });
  const LaunchOrders all = launch_orders(small_device(2), {}, workload, {}, patient);
  EXPECT_EQ(last.what, fmt::format("simulating orders: {} tried", all.simulated - 1));
  EXPECT_EQ(last.all, all.count);
  EXPECT_FALSE(last.at_most);
  launch_orders(small_device(2), {}, workload, {.most_orders = 0}, patient);
  EXPECT_TRUE(last.at_most);
  const Task impatient([](const Doing&) { return "interrupted"; });
  EXPECT_THROW(launch_orders(small_device(2), {}, workload, {}, impatient), Stopped);
}

TEST(LaunchOrders, RecommendedAreLargerLocalMemoryThenLargerConfigurations) {
  Workload workload{{job("a", 1, 64, 1), job("b", 1, 64, 1), job("c", 1, 64, 1)}, {}};
  workload.jobs[1].kernel.shared = 65536;
  workload.jobs[2].kernel.local = 64;
  EXPECT_THAT(recommended_order(small_device(2), {}, workload), ElementsAre(2, 1, 0));
  workload.jobs[0].kernel.stream = workload.jobs[2].kernel.stream = "s";
  EXPECT_THAT(recommended_order(small_device(2), {}, workload), ElementsAre(1, 0, 2));
}

TEST(LaunchOrders, OfSmallerLocalMemoryFirstWait) {
  Workload workload{{job("small", 1, 64, 3), job("large", 1, 64, 3)}, {}};
  workload.jobs[1].kernel.local = 64;
  const LaunchOrders found = launch_orders(small_device(2), {}, workload);
  EXPECT_THAT(found.best.jobs, ElementsAre(1, 0));
  EXPECT_DOUBLE_EQ(found.best.makespan_ms, 3);
  EXPECT_DOUBLE_EQ(found.given.makespan_ms, 6);
}

TEST(LaunchOrders, WhatTheModelLeavesToChanceIsTold) {
  const Workload workload{{job("a", 33, 32, 1)}, {}};
  const Hypothesis drifting = hypothesis_from_text("dispatch_batch=pair,pairs_in_flight=drifting");
  EXPECT_TRUE(launch_orders(small_device(2), drifting, workload).left_to_chance);
  EXPECT_FALSE(launch_orders(small_device(2), {}, workload).left_to_chance);
}

TEST(LaunchOrders, AreNotThoseOfKernelsThatArriveLater) {
  const auto complaint = [](const std::string& text) {
    return samples::message_of(
        [&] { launches_from_json(parse_json(text, "w.json"), samples::device(), "w.json"); });
  };
  const std::string kernel = R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":16)";
  EXPECT_EQ(complaint(kernel + R"(,"block_ms":1,"arrival_ms":0}}})"), "no error");
  EXPECT_THAT(complaint(kernel + R"(,"block_ms":1,"arrival_ms":2}}})"),
              HasSubstr("kernels.a.arrival_ms: is not for an order"));
  EXPECT_THAT(complaint(kernel + "}}}"), HasSubstr("kernels.a.block_ms: is missing"));
}

}  // namespace
}  // namespace cuvier
