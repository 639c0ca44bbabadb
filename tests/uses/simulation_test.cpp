#include "uses/simulate/simulation.h"

#include <gmock/gmock.h>

#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "tests/law/planted.h"
#include "uses/simulate/simtbs.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Job job_of(const std::string& name, int blocks, int warps, double arrival_ms, double block_ms) {
  Job job{samples::kernel(name, blocks, 32 * warps), arrival_ms, block_ms};
  job.kernel.registers = 16;
  return job;
}

TEST(SimulationTest, BlocksTakeTurnsOnAFullDevice) {
  const Device device = plain_device("two", 2, 8);
  const Workload workload{{job_of("a", 4, 4, 0, 10), job_of("b", 2, 8, 1, 5)}, {}};
  const WorkloadOutcome outcome = simulate(device, plain_hypothesis("bfa"), workload);
  EXPECT_DOUBLE_EQ(*outcome.jobs[0].ended_ms, 10);
  EXPECT_DOUBLE_EQ(*outcome.jobs[1].started_ms, 10);
  EXPECT_DOUBLE_EQ(outcome.jobs[1].turnaround_ms, 14);
  EXPECT_DOUBLE_EQ(outcome.makespan_ms, 15);
  const std::vector<double> alone_ms = times_alone(device, plain_hypothesis("bfa"), workload);
  EXPECT_THAT(alone_ms, ElementsAre(10, 5));
  EXPECT_DOUBLE_EQ(outcome.antt(alone_ms), (1 + 14.0 / 5) / 2);
  EXPECT_DOUBLE_EQ(outcome.utilisation(device), 1);
  EXPECT_EQ(outcome.most_blocks, 4);
}

TEST(SimulationTest, ContentionSlowsWhoSharesAnSm) {
  const Device device = plain_device("one", 1, 8);
  // Alone at half the slots it takes 1.5 times as long; both together, twice.
  const Workload workload{{job_of("a", 1, 4, 0, 10), job_of("b", 1, 4, 0, 10)},
                          {{{0.5, 0.5}, {1, 1}}}};
  EXPECT_THAT(times_alone(device, plain_hypothesis("bfa"), workload), ElementsAre(15, 15));
  EXPECT_DOUBLE_EQ(simulate(device, plain_hypothesis("bfa"), workload).makespan_ms, 20);
}

TEST(SimulationTest, PoliciesAreComparedByOneTimeAlone) {
  const Device device = plain_device("two", 2, 8);
  // DFA packs the blocks of `a`, also where it is alone: no excuse for its taking longer.
  const Workload workload{{job_of("a", 2, 4, 0, 10)}, {{{0.5, 0.5}, {1, 1}}}};
  const std::vector<double> alone_ms = times_alone(device, plain_hypothesis("bfa"), workload);
  EXPECT_DOUBLE_EQ(simulate(device, plain_hypothesis("bfa"), workload).antt(alone_ms), 1);
  EXPECT_DOUBLE_EQ(simulate(device, plain_hypothesis("dfa"), workload).antt(alone_ms), 20.0 / 15);
}

TEST(SimulationTest, MemoryIsEverybodys) {
  const Device device = plain_device("two", 2, 8);
  Job half = job_of("a", 1, 8, 0, 10);
  half.block_memory = 0.5;
  Workload workload{{half, half}};
  workload.memory_contention = {{{1, 1}}};
  workload.jobs[1].kernel.name = "b";
  workload.jobs[1].arrival_ms = 3;
  const WorkloadOutcome outcome = simulate(device, plain_hypothesis("bfa"), workload);
  EXPECT_DOUBLE_EQ(times_alone(device, plain_hypothesis("bfa"), workload)[0], 15);
  // 2 of 10 ms are done in the first 3; the rest takes twice as long, on the other SM as well.
  EXPECT_DOUBLE_EQ(*outcome.jobs[0].ended_ms, 19);
  EXPECT_DOUBLE_EQ(*outcome.jobs[1].ended_ms, 19 + 2 * 1.5);
}

TEST(SimulationTest, APairLeavesTogether) {
  const Device device = plain_device("one", 1, 8);
  // The blocks of `b` start at 5 and 10: the third waits for one of them, or for both.
  Workload workload{{job_of("a", 1, 4, 0, 10), job_of("b", 3, 4, 5, 10)}};
  const Hypothesis hypothesis = plain_hypothesis("bfa");
  EXPECT_DOUBLE_EQ(simulate(device, hypothesis, workload).makespan_ms, 25);
  workload.refill = Refill::in_pairs;
  const WorkloadOutcome outcome = simulate(device, hypothesis, workload);
  EXPECT_DOUBLE_EQ(outcome.makespan_ms, 30);
  EXPECT_DOUBLE_EQ(outcome.busy_warp_ms, 4 * 4 * 10);
}

TEST(SimulationTest, ABlockWhoseMateLeftBeforeItCameLeavesAlone) {
  const Device device = plain_device("one", 1, 8);
  Workload workload{{job_of("b", 2, 8, 0, 10), job_of("c", 1, 8, 1, 10)}};
  workload.refill = Refill::in_pairs;
  const WorkloadOutcome outcome = simulate(device, plain_hypothesis("bfa"), workload);
  EXPECT_EQ(outcome.unfinished(), 0);
  EXPECT_DOUBLE_EQ(outcome.makespan_ms, 30);
}

TEST(SimulationTest, ManyStatesAreForgottenAndNothingElse) {
  const Device device = plain_device("eight", 8, 32);
  Workload workload;
  Rng rng(1);
  for (int k = 0; k < 1200; ++k) {
    workload.jobs.push_back(
        job_of("k" + std::to_string(k), 50, uniform(rng, 1, 9), 8 * k, uniform(rng, 1, 20)));
  }
  const Hypothesis hypothesis = plain_hypothesis("selection=fewest_warps");
  Trace trace;
  simulate(device, hypothesis, workload, kNoHorizon, &trace);
  const Observation predicted = predict(device, hypothesis, trace.script);
  for (std::size_t step = 0; step < predicted.steps.size(); ++step) {
    ASSERT_EQ(trace.placements[step].started, predicted.steps[step].started) << step;
  }
}

TEST(SimulationTest, WhatNeverFinishesIsCounted) {
  const Device device = plain_device("one", 1, 8);
  Hypothesis hypothesis = plain_hypothesis("bfa");
  // Nobody can take a block of 16 warps.
  const Workload workload{{job_of("a", 1, 16, 0, 10), job_of("b", 1, 1, 0, 10)}, {}};
  const WorkloadOutcome outcome = simulate(device, hypothesis, workload);
  EXPECT_EQ(outcome.unfinished(), 2);  // b is behind a
  const std::vector<double> alone_ms = times_alone(device, hypothesis, workload);
  EXPECT_THAT(alone_ms, ElementsAre(0, 10));
  EXPECT_EQ(outcome.antt(alone_ms), 0);
}

TEST(SimulationTest, PlacesAsPredictionDoesAndConservesWork) {
  Rng rng(5);
  for (int point = 0; point < 200; ++point) {
    const Device device = small_device(uniform(rng, 2, 8));
    const Hypothesis hypothesis = random_hypothesis(device, rng);
    Workload workload;
    double warp_ms = 0;
    const int jobs = uniform(rng, 1, 6);
    for (int k = 0; k < jobs; ++k) {
      Job each = job_of("k" + std::to_string(k), uniform(rng, 1, 30), uniform(rng, 1, 12),
                        5 * k + uniform(rng, 0, 4), uniform(rng, 1, 20));
      each.kernel.shared = 1024 * uniform(rng, 0, 30);
      workload.jobs.push_back(each);
      warp_ms += each.kernel.blocks * each.kernel.warps() * each.block_ms;
    }
    Trace trace;
    simulate(device, hypothesis, workload, kNoHorizon, &trace);
    ASSERT_EQ(trace.script.script.size(), trace.placements.size());
    const Observation predicted = predict(device, hypothesis, trace.script);
    for (std::size_t step = 0; step < predicted.steps.size(); ++step) {
      ASSERT_EQ(trace.placements[step].started, predicted.steps[step].started)
          << describe(hypothesis) << " step " << step;
    }
    const WorkloadOutcome outcome = simulate(device, hypothesis, workload);
    if (outcome.unfinished() > 0) continue;
    EXPECT_NEAR(outcome.busy_warp_ms, warp_ms, 1e-6 * warp_ms);
    double shown_warp_ms = 0;
    for (const Series::Span& span : outcome.over_time.spans()) {
      shown_warp_ms += span.warps * outcome.over_time.span_ms();
    }
    EXPECT_NEAR(shown_warp_ms, warp_ms, 1e-6 * warp_ms);
    for (const JobOutcome& each : outcome.jobs) {
      EXPECT_GT(each.turnaround_ms, 0);
      EXPECT_LE(*each.ended_ms, outcome.makespan_ms);
    }
  }
}

TEST(SimulationTest, AWorkloadIsReadOrToldWhatIsWrong) {
  const Device device = samples::device();
  const auto read = [&](const std::string& text) {
    return workload_from_json(parse_json(text, "w.json"), device, "w.json");
  };
  const Workload workload = read(
      R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":16,"arrival_ms":7,"block_ms":2.5},)"
      R"("b":{"blocks":1,"threads":32,"registers":16,"block_ms":1}},"contention":[[1,0.7]]})");
  ASSERT_EQ(workload.jobs.size(), 2u);
  EXPECT_EQ(workload.jobs[0].kernel.name, "b");
  EXPECT_EQ(workload.jobs[1].arrival_ms, 7);
  EXPECT_DOUBLE_EQ(workload.contention.added(0.5), 0.35);
  const auto complaint = [&](const std::string& text) {
    return samples::message_of([&] { read(text); });
  };
  EXPECT_EQ(complaint(R"({"kernels":{}})"), "w.json: kernels: is empty; declare a kernel");
  EXPECT_THAT(complaint(R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":16}}})"),
              HasSubstr("kernels.a.block_ms: is missing"));
  EXPECT_THAT(complaint(R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":16,)"
                        R"("block_ms":1,"arrival_ms":-1}}})"),
              HasSubstr("kernels.a.arrival_ms: must be 0 or more"));
  EXPECT_THAT(complaint(R"({"kernels":{"a":{"blocks":1,"threads":4096,"registers":16,)"
                        R"("block_ms":1}}})"),
              HasSubstr("kernels.a.threads: 4096 is over"));
}

}  // namespace
}  // namespace cuvier
