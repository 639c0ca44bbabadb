// Caps on a kernel's blocks per SM, and throughput of its own: Lee et al. 2014, throttled kernels
// and mixed concurrent kernels.

#include <gmock/gmock.h>

#include <map>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/neighbours.h"
#include "probes/family.h"
#include "tests/samples.h"
#include "uses/simulate/simtbs.h"
#include "uses/simulate/simulation.h"

namespace cuvier {
namespace {

Job job(const std::string& name, int blocks, int warps, double arrival_ms, double block_ms) {
  Job job{samples::kernel(name, blocks, 32 * warps), arrival_ms, block_ms};
  job.kernel.registers = 16;
  return job;
}

/// The most blocks of each kernel that any SM held at once.
std::vector<int> most_held(const Trace& trace) {
  std::vector<int> most(trace.script.kernels.size());
  std::map<std::pair<int, int>, int> sm_of;  // by kernel and block
  std::map<std::pair<int, int>, int> held;   // by kernel and SM
  for (std::size_t step = 0; step < trace.placements.size(); ++step) {
    for (const Release& release : trace.script.script[step].releases) {
      for (const int block : release.blocks) {
        --held[{release.kernel, sm_of.at({release.kernel, block})}];
      }
    }
    for (const Started& started : trace.placements[step].started) {
      for (std::size_t i = 0; i < started.block.size(); ++i) {
        sm_of[{started.kernel, started.block[i]}] = started.sm[i];
        most[started.kernel] =
            std::max(most[started.kernel], ++held[{started.kernel, started.sm[i]}]);
      }
    }
  }
  return most;
}

Workload random_caps(Rng& rng, bool clusters) {
  Workload workload;
  for (int k = 0; k < 5; ++k) {
    Job each = job("k" + std::to_string(k), uniform(rng, 1, 60), uniform(rng, 1, 9), 4 * k,
                   uniform(rng, 1, 20));
    if (clusters && k % 2 == 0) {
      each.kernel.cluster = 2;
      each.kernel.blocks *= 2;
    }
    if (k != 3) each.most_per_sm = uniform(rng, 1, 4);
    workload.jobs.push_back(std::move(each));
  }
  return workload;
}

// Whatever the mechanism.
TEST(Caps, NoSmEverHoldsMore) {
  Rng rng(7);
  for (const char* const name : {"rtx3090", "h200"}) {
    Device device = find_device(name);
    if (device.max_cluster == 0) device.sms = 8;
    int at_their_cap = 0;
    for (const Hypothesis& hypothesis : single_axis_changes(device, Hypothesis(), rng)) {
      const Workload workload = random_caps(rng, device.max_cluster > 1);
      Trace trace;
      const WorkloadOutcome outcome = simulate(device, hypothesis, workload, kNoHorizon, &trace);
      const std::vector<int> most = most_held(trace);
      for (std::size_t k = 0; k < workload.jobs.size(); ++k) {
        if (!workload.jobs[k].most_per_sm) continue;
        const int cap = *workload.jobs[k].most_per_sm;
        EXPECT_LE(most[k], cap) << describe(hypothesis);
        if (cap > 1 && most[k] == cap) ++at_their_cap;
        EXPECT_EQ(outcome.jobs[k].most_per_sm, workload.jobs[k].most_per_sm);
      }
      double work = 0;
      for (const Job& each : workload.jobs) {
        work += each.block_ms * each.kernel.blocks * each.kernel.warps();
      }
      if (outcome.unfinished() == 0) {
        EXPECT_NEAR(outcome.busy_warp_ms, work, 1e-6) << describe(hypothesis);
      }
    }
    EXPECT_GT(at_their_cap, 0) << name;
  }
}

TEST(Caps, OfAsManyAsFitChangeNothing) {
  const Device device = plain_device("eight", 8, 32);
  Rng rng(3);
  for (const char* const policy : {"bfa", "dfa", "selection=round_robin", "queue=skip_ahead"}) {
    Workload workload = random_caps(rng, false);
    for (Job& each : workload.jobs) each.most_per_sm.reset();
    Trace free;
    simulate(device, plain_hypothesis(policy), workload, kNoHorizon, &free);
    for (Job& each : workload.jobs) each.most_per_sm = 32;
    Trace capped;
    simulate(device, plain_hypothesis(policy), workload, kNoHorizon, &capped);
    EXPECT_EQ(free.script, capped.script) << policy;
    EXPECT_EQ(free.placements, capped.placements) << policy;
  }
}

TEST(Caps, LeaveRoomForOthersWhereTheQueueSkips) {
  const Device device = plain_device("one", 1, 8);
  Workload workload{{job("a", 4, 1, 0, 10), job("b", 1, 4, 0, 10)}};
  workload.jobs[0].most_per_sm = 2;
  const auto started = [&](const char* policy) {
    return *simulate(device, plain_hypothesis(policy), workload).jobs[1].started_ms;
  };
  EXPECT_EQ(started("queue=skip_ahead"), 0);
  EXPECT_EQ(started("queue=fifo"), 10);  // `a` is at the head, and waits for itself
}

TEST(Throughput, IsThatOfSoManyBlocks) {
  const Device device = plain_device("one", 1, 8);
  Workload workload{{job("a", 3, 1, 0, 10)}};
  workload.jobs[0].throughput = {2, 3};  // of two half as much again as of one
  WorkloadOutcome outcome = simulate(device, plain_hypothesis("bfa"), workload);
  // The three do 2 ms of work in 1.5 between them: as of two, which is the last that is told.
  EXPECT_DOUBLE_EQ(outcome.makespan_ms, 30 / 1.5);
  workload.jobs[0].most_per_sm = 1;
  outcome = simulate(device, plain_hypothesis("bfa"), workload);
  EXPECT_DOUBLE_EQ(outcome.makespan_ms, 30);
  // What is nobody else's does not slow others.
  workload.jobs.push_back(job("b", 1, 1, 0, 10));
  outcome = simulate(device, plain_hypothesis("queue=skip_ahead"), workload);
  EXPECT_DOUBLE_EQ(*outcome.jobs[1].ended_ms, 10);
}

// More blocks than three do less: held to three, the kernel is done sooner.
TEST(Throughput, MayFallWithMoreBlocksSoThatACapGains) {
  const Device device = plain_device("one", 1, 8);
  Workload workload{{job("a", 24, 1, 0, 10)}};
  workload.jobs[0].throughput = {1, 1.9, 2.6, 2.4, 2.1, 1.9, 1.7, 1.6};
  const double free = simulate(device, plain_hypothesis("bfa"), workload).makespan_ms;
  workload.jobs[0].most_per_sm = 3;
  const double capped = simulate(device, plain_hypothesis("bfa"), workload).makespan_ms;
  EXPECT_DOUBLE_EQ(free, 240 / 1.6);
  EXPECT_DOUBLE_EQ(capped, 240 / 2.6);
}

TEST(IssueSlots, AreSharedByAllKernelsOfAnSm) {
  const Device device = plain_device("one", 1, 8);
  // Each block issues in half of the cycles: two of them fill all, whoever's they are.
  Workload workload{{job("a", 2, 1, 0, 10), job("b", 2, 1, 0, 10)}};
  for (Job& each : workload.jobs) each.issue = IssueProfile{1000, 1};
  const WorkloadOutcome outcome = simulate(device, plain_hypothesis("bfa"), workload);
  EXPECT_NEAR(times_alone(device, plain_hypothesis("bfa"), workload)[0], 10, 0.02);
  EXPECT_NEAR(outcome.makespan_ms, 20, 0.04);
}

/// 14 SMs that take eight blocks each.
Device fermi() {
  Device device = plain_device("14 SMs", 14, 48);
  device.max_blocks_per_sm = 8;
  return device;
}

// Blocks of 128 threads (Bakhoda et al. 2009, Table I), eight of which go on an SM; ten times as
// many as there, so that some are left to hold back. What their instructions do is not published:
// each waits two cycles here, so that a block alone issues in every third.
TEST(LazyScheduling, HoldsLpsToThreeBlocksInsteadOfEight) {
  Workload workload{{job("LPS", 1000, 4, 0, 10)}};
  workload.jobs[0].issue = IssueProfile{1000, 2};
  workload.lazy = BlockRounding::nearest;
  Trace trace;
  const WorkloadOutcome outcome =
      simulate(fermi(), plain_hypothesis("bfa"), workload, kNoHorizon, &trace);
  EXPECT_EQ(most_held(trace)[0], 8);  // as long as it is watched
  EXPECT_EQ(outcome.jobs[0].most_per_sm, 3);
  // Every cycle issues either way: it takes longer by its last blocks alone.
  workload.lazy.reset();
  const WorkloadOutcome free = simulate(fermi(), plain_hypothesis("bfa"), workload);
  EXPECT_FALSE(free.jobs[0].most_per_sm.has_value());
  EXPECT_NEAR(outcome.makespan_ms, free.makespan_ms, 10);
}

// What LPS leaves free goes to the next kernel, which otherwise waits for its end.
TEST(LazyScheduling, MixesKernels) {
  Workload workload{{job("LPS", 1000, 4, 0, 10), job("next", 14, 16, 0, 10)}};
  workload.jobs[0].issue = IssueProfile{1000, 2};
  const auto started = [&] {
    return *simulate(fermi(), plain_hypothesis("queue=skip_ahead"), workload).jobs[1].started_ms;
  };
  const double before = started();
  workload.lazy = BlockRounding::nearest;
  EXPECT_LT(started(), before / 2);
}

// 50,000 queries (Bakhoda et al. 2009, Table I) in blocks of 256 threads are 196 blocks; 14 SMs of
// eight take 112 of them: 57 %.
TEST(LazyScheduling, PlacesAboutHalfOfMumAtTheStart) {
  const Workload workload{{job("MUM", (50'000 + 255) / 256, 6, 0, 10)}};
  Trace trace;
  simulate(fermi(), plain_hypothesis("bfa"), workload, kNoHorizon, &trace);
  const std::size_t placed = trace.placements[0].started[0].block.size();
  EXPECT_EQ(placed, 112U);
  EXPECT_EQ(100 * placed / static_cast<std::size_t>(workload.jobs[0].kernel.blocks), 57U);
}

}  // namespace
}  // namespace cuvier
