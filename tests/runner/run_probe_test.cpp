#include "probes/gpu/run_probe.h"

#include <gtest/gtest.h>

#include "hypotheses/assumptions.h"
#include "probes/family.h"
#include "tests/runner/simulated_device.h"
#include "tests/samples.h"

namespace cuvier::gpu {
namespace {

using Fault = Manners::Fault;

Kernel kernel_of(const std::string& name, int blocks) {
  return samples::kernel(name, blocks, 1024);
}

/// On four SMs that hold one such block each: k takes all, l waits.
Probe crowded() {
  Probe probe;
  probe.name = "crowded";
  probe.kernels = {kernel_of("k", 4), kernel_of("l", 2)};
  probe.script = {{0, {}}, {1, {}}, {{}, {{0, {1}}}}, {{}, {{0, {}}}}};
  return probe;
}

Patience patience_of(int quiet_us) {
  Patience patience;
  patience.quiet = microseconds{quiet_us};
  return patience;
}

FailureCode code_of(RunnerDevice& device, const Probe& probe) {
  try {
    run_probe(device, probe, patience_of(500));
  } catch (const Failure& failure) {
    return failure.code();
  }
  ADD_FAILURE() << "no failure";
  return FailureCode::internal;
}

/// The simulator's own answer, with times: those are the device's.
void expect_same(Observation seen, const Observation& predicted, const std::string& what) {
  for (Step& step : seen.steps) {
    for (Started& started : step.started) started.start_ns.clear();
  }
  EXPECT_EQ(seen, predicted) << what;
}

TEST(RunProbe, SeesWhatTheSchedulerDoes) {
  const Device device = samples::device();
  for (const char* name :
       {"algorithm1", "queue=skip_ahead", "selection=round_robin,cursor_reset=never"}) {
    const Hypothesis hypothesis =
        std::string(name) == "algorithm1" ? Hypothesis{} : hypothesis_from_text(name);
    SimulatedDevice runner(device, hypothesis);
    Simulator simulator(device, hypothesis);
    Rng rng(7);
    for (const ProbeFamily& family : probe_families(device)) {
      for (int i = 0; i < 10; ++i) {
        const Probe probe = family.draw(device, rng);
        expect_same(run_probe(runner, probe, patience_of(500)), simulator.run(probe),
                    std::string(name) + " " + std::string(family.name));
      }
    }
  }
}

TEST(RunProbe, CountsTimesFromTheFirstStart) {
  SimulatedDevice device(samples::device(), {});
  const Observation seen = run_probe(device, crowded(), patience_of(500));
  EXPECT_EQ(seen.steps[0].started[0].start_ns[0], 0);
  EXPECT_GT(seen.steps[2].started[0].start_ns[0], 0);
}

TEST(RunProbe, DoesNotWaitWhereEveryBlockHasStarted) {
  SimulatedDevice device(samples::device(), {});
  Probe probe = crowded();
  probe.script = {{0, {}}};
  const auto begin = device.now();
  run_probe(device, probe, patience_of(100'000));
  EXPECT_LT(device.now() - begin, microseconds{1000});
}

TEST(RunProbe, SettlesWhenNothingStartsForTheQuietTimeAndNotBefore) {
  Manners slow;
  slow.start_to_start = microseconds{450};
  SimulatedDevice device(samples::device(), {}, slow);
  const Observation patient = run_probe(device, crowded(), patience_of(500));
  ASSERT_EQ(patient.steps[0].started.size(), 1U);
  EXPECT_EQ(patient.steps[0].started[0].block.size(), 4U);
  // Too short a quiet time takes a slow start for none: the fourth step sees what is late.
  const Observation hasty = run_probe(device, crowded(), patience_of(100));
  ASSERT_EQ(hasty.steps[0].started.size(), 1U);
  EXPECT_LT(hasty.steps[0].started[0].block.size(), 4U);
}

/// A launch call that takes longer than the quiet time (a stream's first, a host that was
/// preempted) is no quiet: its blocks start when it has returned.
TEST(RunProbe, CountsTheQuietTimeFromWhereTheDriverTookTheLaunch) {
  for (const int call_us : {390, 400, 1000, 5000, 20'000}) {
    Manners slow;
    slow.launch_call = microseconds{call_us};
    slow.launch_to_start = microseconds{15};
    SimulatedDevice device(samples::device(), {}, slow);
    Simulator simulator(samples::device(), {});
    expect_same(run_probe(device, crowded(), patience_of(400)), simulator.run(crowded()),
                std::to_string(call_us) + " us");
  }
}

/// Whatever the scheduler, a kernel starts where nothing else is, and may do so late.
TEST(RunProbe, WaitsLongForTheFirstBlockOnADeviceWithoutAny) {
  for (const int start_us : {3000, 50'000}) {
    Manners slow;
    slow.launch_to_start = microseconds{start_us};
    SimulatedDevice device(samples::device(), {}, slow);
    Probe probe = crowded();
    probe.script = {{0, {}}};
    Simulator simulator(samples::device(), {});
    expect_same(run_probe(device, probe, patience_of(400)), simulator.run(probe),
                std::to_string(start_us) + " us");
  }
}

TEST(RunProbe, CannotTellWhatDoesNotStartThere) {
  Manners slow;
  slow.launch_to_start = microseconds{1'000'000};
  SimulatedDevice device(samples::device(), {}, slow);
  EXPECT_EQ(code_of(device, crowded()), FailureCode::timeout);
}

TEST(RunProbe, WaitsForALateFirstBlockBesideOthers) {
  Manners manners;
  manners.fault = Fault::starts_late;
  manners.fault_at = 1;
  SimulatedDevice device(samples::device(), {}, manners);
  Probe probe;
  probe.name = "beside";
  probe.kernels = {samples::kernel("k", 1, 32), samples::kernel("l", 1, 32)};
  probe.script = {{0, {}}, {1, {}}};
  Simulator simulator(samples::device(), {});
  expect_same(run_probe(device, probe, patience_of(400)), simulator.run(probe), "late");
}

TEST(RunProbe, TellsNothingWhereABlockIsSeenAfterItsStep) {
  Manners manners;
  manners.fault = Fault::seen_at_the_end;
  manners.fault_at = 1;
  SimulatedDevice device(samples::device(), {}, manners);
  Probe probe;
  probe.name = "beside";
  probe.kernels = {samples::kernel("k", 1, 32), samples::kernel("l", 1, 32)};
  probe.script = {{0, {}}, {1, {}}};
  try {
    run_probe(device, probe, patience_of(400));
    FAIL() << "that block is said to wait";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), FailureCode::timeout);
    EXPECT_TRUE(failure.ran());
  }
}

/// On a busy machine the launching thread may not get its turn for long: that is no driver which
/// waits for the device.
TEST(RunProbe, TakesNoStarvedThreadForADriverThatSitsOnALaunch) {
  Manners busy;
  busy.launch_call = microseconds{300'000};
  busy.starved = microseconds{290'000};
  SimulatedDevice device(samples::device(), {}, busy);
  Simulator simulator(samples::device(), {});
  expect_same(run_probe(device, crowded(), patience_of(400)), simulator.run(crowded()), "busy");
}

TEST(RunProbe, RefusesAnSmThatTheDeviceDoesNotHave) {
  Manners manners;
  manners.fault = Fault::bad_sm;
  SimulatedDevice device(samples::device(), {}, manners);
  EXPECT_EQ(code_of(device, crowded()), FailureCode::unsupported);
  device.set_fault(Fault::none);
  Simulator simulator(samples::device(), {});
  expect_same(run_probe(device, crowded(), patience_of(500)), simulator.run(crowded()), "after");
}

TEST(RunProbe, LeavesBlocksGatedThatWereReleasedWhilePending) {
  SimulatedDevice device(samples::device(), {});
  Probe probe = crowded();
  probe.script = {{0, {}}, {1, {}}, {{}, {{1, {0, 1}}}}, {{}, {{0, {}}}}, {{}, {{1, {}}}}};
  const Observation seen = run_probe(device, probe, patience_of(500));
  EXPECT_TRUE(seen.steps[2].started.empty());
  ASSERT_EQ(seen.steps[3].started.size(), 1U);
  EXPECT_EQ(seen.steps[3].started[0].kernel, 1);
}

TEST(RunProbe, ReleasesABlockOnce) {
  SimulatedDevice device(samples::device(), {});
  Probe probe = crowded();
  probe.script = {{0, {}}, {{}, {{0, {1}}}}, {{}, {{0, {1, 2}}}}, {{}, {{0, {}}}}, {{}, {{0, {}}}}};
  EXPECT_EQ(run_probe(device, probe, patience_of(500)).steps.size(), 5U);
}

TEST(RunProbe, TakesALaunchThatTheDriverSitsOnForAPendingOne) {
  Manners manners;
  manners.fault = Fault::sits_on_launch;
  manners.fault_at = 1;
  SimulatedDevice device(samples::device(), {}, manners);
  Probe probe = crowded();
  probe.kernels[1].local = 64;
  probe.script = {{0, {}}, {1, {}}};
  const auto begin = device.now();
  const Observation seen = run_probe(device, probe, patience_of(500));
  EXPECT_TRUE(seen.steps[1].started.empty());
  EXPECT_GE(device.now() - begin, Patience{}.submit);
}

TEST(RunProbe, EndsAnImpossibleProbeAndLeavesTheDeviceIdle) {
  const std::map<Fault, FailureCode> ends = {
      {Fault::refuses_launch, FailureCode::unsupported},
      {Fault::no_such_registers, FailureCode::unsupported},
      {Fault::blocks_stay, FailureCode::timeout},
      {Fault::fail_safe, FailureCode::timeout},
  };
  for (const auto& [fault, code] : ends) {
    Manners manners;
    manners.fault = fault;
    SimulatedDevice device(samples::device(), {}, manners);
    EXPECT_EQ(code_of(device, crowded()), code);
    device.set_fault(Fault::none);
    Simulator simulator(samples::device(), {});
    expect_same(run_probe(device, crowded(), patience_of(500)), simulator.run(crowded()), "after");
  }
}

TEST(RunProbe, TellsALostDevice) {
  for (const Fault fault : {Fault::lost_at_launch, Fault::never_idle}) {
    Manners manners;
    manners.fault = fault;
    manners.fault_at = 1;
    SimulatedDevice device(samples::device(), {}, manners);
    EXPECT_EQ(code_of(device, crowded()), FailureCode::device_lost);
  }
}

}  // namespace
}  // namespace cuvier::gpu
