// What docs/reference/scheduler.md means where it could be read in two ways, by example. (What it
// means of picks in flight, tests/law/drift_by_the_page.h says.)

#include "hypotheses/scheduler/scheduler.h"

#include <gmock/gmock.h>

#include <functional>

#include "hypotheses/assumptions.h"
#include "hypotheses/readings/prediction.h"
#include "hypotheses/scheduler/topology.h"
#include "hypotheses/simulator.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TieBreak, TakesTheFirstSmOfEveryTpcFirstOrLast) {
  Device device = samples::device();
  device.sms = 6;
  device.sms_per_tpc = 3;
  EXPECT_THAT(named_order(device, TieBreak::tpc_interleaved), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(named_order(device, TieBreak::tpc_interleaved_odd_first),
              ElementsAre(1, 4, 2, 5, 0, 3));
  // Where a map says which SMs are together, sms_per_tpc says nothing.
  device.sms_per_tpc = 2;
  device.tpc_of_sm = {3, 1, 1, 3, 3, 0};  // SMs 0 3 4, 1 2 and 5
  EXPECT_THAT(named_order(device, TieBreak::tpc_interleaved), ElementsAre(0, 1, 5, 3, 2, 4));
  EXPECT_THAT(named_order(device, TieBreak::tpc_interleaved_odd_first),
              ElementsAre(3, 2, 4, 0, 1, 5));
}

/// The places of a pick are of even and odd index, whichever numbers its blocks have.
TEST(Paired, GoesByPlacesNotByNumbers) {
  Device device = samples::device();
  device.sms = 16;
  const Probe probe{"p", {samples::kernel("k", 2 * device.sms + 16, 32)}, {{0, {}}}};
  std::vector<int> sm =
      predict(device,
              hypothesis_from_text("dispatch_batch=pair,pairs_in_flight=two,selection=paired"),
              probe)
          .steps[0]
          .started[0]
          .sm;
  sm.resize(14);  // block 5 is the first of its pick, block 7 that of the next
  EXPECT_THAT(sm, ElementsAre(0, 0, 2, 2, 4, 4, 6, 8, 6, 8, 10, 12, 10, 12));
}

/// Kernels of one block, of which an SM holds one, wait for an SM in this order.
class ReversedPriority : public ::testing::Test {
 protected:
  ReversedPriority() {
    reversed_.values[index_of<Priority>()] =
        static_cast<std::uint8_t>(reverse_of(index_of<Priority>(), Priority::respected).value());
  }

  static Probe waiting(const std::vector<int>& priorities) {
    std::vector<Kernel> kernels{samples::kernel("full", 4, 1024)};
    std::vector<Action> script{samples::launch(0)};
    for (const int priority : priorities) {
      script.push_back(samples::launch(static_cast<int>(kernels.size())));
      kernels.push_back(samples::kernel("k" + std::to_string(kernels.size()), 1, 1024));
      kernels.back().priority = priority;
    }
    for (Kernel& kernel : kernels) kernel.registers = 64;
    script.push_back(samples::release(0, {0}));
    return {"p", kernels, script};
  }
  /// The kernel that gets the first SM that is free.
  static int first_of(const Hypothesis& hypothesis, const Probe& probe) {
    return predict(samples::device(), hypothesis, probe).steps.back().started.at(0).kernel;
  }

  Hypothesis reversed_;
};

TEST_F(ReversedPriority, LetsTheLessUrgentGoFirst) {
  EXPECT_EQ(first_of({}, waiting({-1, 0})), 1);
  EXPECT_EQ(first_of(reversed_, waiting({-1, 0})), 2);
  EXPECT_EQ(first_of({}, waiting({0, -1})), 2);
  EXPECT_EQ(first_of(reversed_, waiting({0, -1})), 1);
  EXPECT_EQ(first_of(reversed_, waiting({0, 0})), 1);
}

TEST_F(ReversedPriority, IsKnownToShowTheSameWherePrioritiesAreAlike) {
  const auto is_as_reversed = [&](const Probe& probe) {
    Simulator simulator(samples::device(), {});
    simulator.run(probe);
    return simulator.is_as_under(reversed_);
  };
  EXPECT_FALSE(is_as_reversed(waiting({-1, 0})));
  EXPECT_FALSE(is_as_reversed(waiting({0, -1})));
  EXPECT_TRUE(is_as_reversed(waiting({0, 0})));
}

/// Shares of an SM are compared over a common multiple of what it has.
TEST(LeastUsed, IsRefusedWhereSharesCannotBeCompared) {
  Device device = samples::device();
  const Probe probe{"p", {samples::kernel("k", 6, 64)}, {samples::launch(0)}};
  const Hypothesis hypothesis = hypothesis_from_text("selection=least_used,tie_break=linear");
  EXPECT_THAT(predict(device, hypothesis, probe).steps[0].started[0].sm,
              ElementsAre(0, 1, 2, 3, 0, 1));
  device.shared_configs = {0, 8192, 100001};
  EXPECT_THAT(samples::message_of([&] { predict(device, hypothesis, probe); }),
              HasSubstr("four SMs: shared_configs: 100001 bytes and the other limits"));
  EXPECT_EQ(samples::message_of([&] { predict(device, {}, probe); }), "no error");
}

/// A device file allows no more.
TEST(Sm, HoldsAsManyWarpsAsAnyMay) {
  Device device = samples::device();
  device.sms = 1;
  device.max_blocks_per_sm = 128;
  device.max_warps_per_sm = 4096;
  device.registers_per_sm = 16 << 20;
  const Probe probe{"p", {samples::kernel("k", 129, 1024)}, {samples::launch(0)}};
  const Hypothesis hypothesis = hypothesis_from_text("runtime_shared=0");
  EXPECT_EQ(predict(device, hypothesis, probe).steps[0].started[0].sm.size(), 128U);
}

/// TPCs of SMs 0 1 and 2 3, taken in turn; in each only the SM at its cursor is tried.
class StickyBelowAHierarchy : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const int threads : {1024, 1024, 32, 32}) launch(threads);  // on SMs 0, 2, 1 and 3
    // The cursors are at SMs 0 and 2 again, so it waits in the first TPC, though it fits on SM 1.
    first_ = launch(512);
  }

  /// A block; of 1,024 threads it takes all registers of an SM.
  int launch(int threads) {
    const int k = static_cast<int>(probe_.kernels.size());
    probe_.kernels.push_back(samples::kernel("k" + std::to_string(k), 1, threads));
    probe_.kernels.back().registers = 64;
    probe_.script.push_back({k, {}});
    return k;
  }
  void release_large_blocks() { probe_.script.push_back({std::nullopt, {{0, {}}, {1, {}}}}); }
  std::vector<Started> latest() const {
    return predict(
               samples::device(),
               hypothesis_from_text("tie_break=linear,hierarchy=tpc,group_selection=round_robin,"
                                    "selection=sticky_round_robin,runtime_shared=0"),
               probe_)
        .steps.back()
        .started;
  }

  Probe probe_{"p", {}, {}};
  int first_ = 0;
};

TEST_F(StickyBelowAHierarchy, ATryThatEndsInWaitingMovesTheGroupCursor) {
  release_large_blocks();
  ASSERT_EQ(latest().size(), 1U);
  EXPECT_EQ(latest()[0].kernel, first_);
  EXPECT_THAT(latest()[0].sm, ElementsAre(2));
}

TEST_F(StickyBelowAHierarchy, AndSoDoesEachTry) {
  launch(512);  // waits behind it, which is tried again
  release_large_blocks();
  ASSERT_EQ(latest().size(), 2U);
  EXPECT_EQ(latest()[0].kernel, first_);
  EXPECT_THAT(latest()[0].sm, ElementsAre(0));
}

/// Hypotheses whose schedulers go on alike are followed as one: all that a block's place may hang
/// on has to be the same.
class GoesOnAs : public ::testing::Test {
 protected:
  using Change = std::function<void(Scheduler<Prediction>&)>;

  explicit GoesOnAs(int sms = 4) : device_(of(sms)), prediction_(device_, hypothesis_) {}
  static Device of(int sms) {
    Device device = samples::device();
    device.sms = sms;
    return device;
  }

  /// Whether the one goes on as the other, after what each does.
  bool alike(const Change& one, const Change& other) {
    Scheduler<Prediction> a(prediction_, device_);
    Scheduler<Prediction> b(a);
    for (Scheduler<Prediction>* each : {&a, &b}) each->begin(probe_);
    one(a);
    other(b);
    return a.goes_on_as(b) && b.goes_on_as(a);
  }
  static Change launches(std::vector<int> kernels) {
    return [=](auto& scheduler) {
      for (const int k : kernels) scheduler.launch(k);
    };
  }

  Device device_;
  Hypothesis hypothesis_ = hypothesis_from_text(
      "hierarchy=tpc,group_selection=round_robin,group_turn=each_sm_once,selection=round_robin");
  Prediction prediction_;
  Probe probe_{"p", std::vector(4, samples::kernel("k", 2, 64)), {{0, {}}, {1, {}}, {2, {}}}};
};

TEST_F(GoesOnAs, ItselfUntilSomethingHappens) {
  EXPECT_TRUE(alike(launches({0, 1}), launches({0, 1})));
  EXPECT_FALSE(alike(launches({0}), launches({0, 1})));
  const auto let_go = [&](std::vector<int> blocks) {
    return [=, this](auto& scheduler) {
      launches({0})(scheduler);
      scheduler.release({{0, blocks}});
    };
  };
  EXPECT_FALSE(alike(launches({0}), let_go({1})));
  EXPECT_FALSE(alike(let_go({0}), let_go({1})));
}

class GoesOnAsOnTwoSms : public GoesOnAs {
 protected:
  GoesOnAsOnTwoSms() : GoesOnAs(2) {}
};

TEST_F(GoesOnAsOnTwoSms, AnotherThatHoldsTheSameOnlyInTheSameOrder) {
  EXPECT_FALSE(alike(launches({0, 1}), launches({1, 0})));
}

TEST_F(GoesOnAs, AnotherOnlyWhereTheSameWaits) {
  probe_.kernels[0].stream = probe_.kernels[1].stream = "s";
  EXPECT_FALSE(alike(launches({0}), launches({0, 1})));
  probe_.kernels[2].blocks = 1000;
  EXPECT_FALSE(alike(launches({2}), launches({2, 3})));
}

TEST_F(GoesOnAs, AnotherOnlyWithTheSameBehindIt) {
  const auto idle = [&](Carry carry, int placed) {
    return [=, this](auto& scheduler) {
      scheduler.launch(0);
      auto rest = scheduler.at_rest();
      if (placed == 0) {
        rest.warp_files.assign(rest.warp_files.size(), prediction_.idle_warps());
      }
      scheduler.set_idle(carry, rest);
      scheduler.begin(probe_);
    };
  };
  EXPECT_TRUE(alike(idle({}, 0), idle({}, 0)));
  EXPECT_FALSE(alike(idle({}, 0), idle({}, 1)));
  EXPECT_FALSE(alike(idle({}, 0), idle({{{}, 1}, {}}, 0)));
  EXPECT_FALSE(alike(idle({}, 0), idle({{{1, 0}, -1}, {}}, 0)));
  EXPECT_FALSE(alike(idle({}, 0), idle({{}, {64, 0}}, 0)));
  EXPECT_FALSE(alike(idle({}, 0), idle({{}, {64, 64}}, 0)));
  EXPECT_FALSE(alike(idle({}, 0), idle({{}, {}, {{0, -1}}}, 0)));
}

}  // namespace
}  // namespace cuvier
