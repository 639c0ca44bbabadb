#include "uses/fits/fits.h"

#include <gmock/gmock.h>

#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "solver/cancellation/task.h"
#include "tests/samples.h"
#include "uses/fits/changes.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int KiB = 1024;

Kernel kernel(const std::string& name, int blocks, int threads, int shared_bytes = 0) {
  Kernel kernel = samples::kernel(name, blocks, threads);
  kernel.shared = shared_bytes;
  return kernel;
}

std::vector<std::string> names_of(const Order& order, const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Arrival& arrival : order.arrivals) names.push_back(kernels[arrival.kernel].name);
  return names;
}

/// How many blocks of each kernel of the order wait, as prediction has it.
std::map<int, int> predicted_to_wait(const Device& device, const Hypothesis& hypothesis,
                                     const Order& order, const std::vector<Kernel>& kernels) {
  const Probe probe = probe_of(order, kernels, "order");
  const Observation seen = predict(device, hypothesis, probe);
  std::map<int, int> waiting;
  for (int k = 0; k < std::ssize(probe.kernels); ++k) {
    int left = probe.kernels[k].blocks;
    for (const Step& step : seen.steps) {
      for (const Started& started : step.started) {
        if (started.kernel == k) left -= static_cast<int>(started.block.size());
      }
    }
    if (left > 0) waiting[order.arrivals[k].kernel] = left;
  }
  return waiting;
}

class Megakernel : public ::testing::Test {
 protected:
  const Device device_ = find_device("b200");
  const Kernel workers_ = kernel("workers", 128, 256, 213 * KiB);
  const std::vector<Hypothesis> algorithm_1_ = {Hypothesis{}};
};

TEST_F(Megakernel, IsStrandedWhereItsSchedulersComeFirst) {
  const std::vector<Kernel> kernels = {workers_, kernel("schedulers", 80, 32, 16 * KiB)};
  const Fits answer = fits(device_, algorithm_1_, {kernels});
  EXPECT_EQ(answer.verdict, Fits::Verdict::unsafe);
  ASSERT_TRUE(answer.stranding);
  EXPECT_THAT(names_of(*answer.stranding, kernels),
              ::testing::ElementsAre("schedulers", "workers"));
  EXPECT_EQ(answer.stranding->stranded, (std::map<int, int>{{0, 60}}));  // 68 of 128 run
  EXPECT_EQ(predicted_to_wait(device_, {}, *answer.stranding, kernels), answer.stranding->stranded);
  ASSERT_TRUE(answer.safe);
  EXPECT_THAT(names_of(*answer.safe, kernels), ::testing::ElementsAre("workers", "schedulers"));
  ASSERT_EQ(answer.stranding->waits.size(), 1u);
  EXPECT_TRUE(answer.stranding->waits[0].sms[0].has(Obstacle::shared_memory));
}

TEST_F(Megakernel, FitsWhateverTheSchedulerWhereItIsPacked) {
  const Fits answer =
      fits(device_, algorithm_1_, {{workers_, kernel("schedulers", 20, 128, 16 * KiB)}});
  EXPECT_EQ(answer.verdict, Fits::Verdict::always);
  ASSERT_TRUE(answer.proof);
  EXPECT_TRUE(answer.proof->holds());
  EXPECT_THAT(answer.proof->claim.smt2, HasSubstr("(check-sat)"));
}

TEST_F(Megakernel, IsMendedByFewerBlocksWithTheLargestCarveOut) {
  const std::vector<Kernel> kernels = {workers_, kernel("schedulers", 30, 128, 64 * KiB)};
  const Fits answer = fits(device_, algorithm_1_, {kernels});
  EXPECT_EQ(answer.verdict, Fits::Verdict::unsafe);
  EXPECT_THAT(
      changes(device_, answer, {kernels}),
      AllOf(Contains(AllOf(Field(&Change::of, Change::Of::blocks), Field(&Change::kernel, 1),
                           Field(&Change::to, 20), Field(&Change::with_carve_out, true))),
            Not(Contains(Field(&Change::of, Change::Of::carve_out)))));
  Hypothesis largest;
  largest.set<ConfigRounding>(ConfigRounding::largest);
  const auto with = [&](int schedulers) {
    return fits(device_, {largest}, {{workers_, kernel("schedulers", schedulers, 128, 64 * KiB)}});
  };
  EXPECT_TRUE(is_safe(with(20)));
  EXPECT_FALSE(is_safe(with(21)));
}

TEST_F(Megakernel, IsRefusedByACarveOutThatIsNotTheLargest) {
  // Three blocks of 65 KiB fill 196 KiB, and Algorithm 1 keeps the other SM of the TPC to that.
  const std::vector<Kernel> kernels = {workers_, kernel("schedulers", 20, 128, 64 * KiB)};
  const Fits answer = fits(device_, algorithm_1_, {kernels});
  EXPECT_EQ(answer.verdict, Fits::Verdict::unsafe);
  EXPECT_THAT(answer.why_not_always, HasSubstr("carve-out"));
  Hypothesis largest;
  largest.set<ConfigRounding>(ConfigRounding::largest);
  EXPECT_EQ(fits(device_, {largest}, {kernels}).verdict, Fits::Verdict::always);
  EXPECT_THAT(changes(device_, algorithm_1_, {kernels}, answer.safe),
              Contains(Field(&Change::of, Change::Of::carve_out)));
}

TEST_F(Megakernel, ChangesThatHelpAreTheSmallest) {
  const std::vector<Kernel> kernels = {workers_, kernel("schedulers", 80, 32, 16 * KiB)};
  const std::optional<Order> safe = fits(device_, algorithm_1_, {kernels}).safe;
  const std::vector<Change> found = changes(device_, algorithm_1_, {kernels}, safe);
  const auto change_of = [&](Change::Of of, int kernel) {
    const auto change = std::ranges::find_if(
        found, [&](const Change& c) { return c.of == of && c.kernel == kernel; });
    return change == found.end() ? std::nullopt : std::optional(change->to);
  };
  EXPECT_EQ(change_of(Change::Of::blocks, 0), 68);
  EXPECT_EQ(change_of(Change::Of::blocks, 1), 20);
  EXPECT_EQ(change_of(Change::Of::packing, 1), 8);
  EXPECT_EQ(change_of(Change::Of::order, 0), 0);  // once all of `workers` are resident
  for (const Change& change : found) {
    if (change.of != Change::Of::blocks) continue;
    std::vector<Kernel> changed = kernels;
    changed[change.kernel].blocks = change.to;
    EXPECT_FALSE(orders(device_, {}, changed).stranding);
    ++changed[change.kernel].blocks;
    EXPECT_TRUE(orders(device_, {}, changed).stranding);
  }
}

TEST(Fits, HardCodedBlocksDoNotFitOnASmallerDevice) {
  Device h20 = find_device("h200");
  h20.sms = 78;
  h20.gpc_of_sm.clear();
  h20.max_cluster = 0;
  const std::vector<Kernel> kernels = {kernel("persistent", 132, 384, 200'000)};
  const Fits answer = fits(h20, {Hypothesis{}}, {kernels});
  EXPECT_EQ(answer.verdict, Fits::Verdict::never);
  ASSERT_TRUE(answer.proof);
  EXPECT_TRUE(answer.proof->holds());
  EXPECT_EQ(answer.stranding->stranded, (std::map<int, int>{{0, 54}}));
  const auto mended = changes(h20, {Hypothesis{}}, {kernels}, std::nullopt);
  EXPECT_THAT(mended, Contains(Field(&Change::to, 78)));
}

TEST(Fits, SayNothingWhereNoModelIsNamed) {
  EXPECT_EQ(samples::message_of([] { fits(samples::device(), {}, {{kernel("a", 1, 32)}}); }),
            "models: there is none to predict launches with; name one");
}

class SmallFits : public ::testing::Test {
 protected:
  Fits::Verdict verdict(const std::vector<Kernel>& kernels, const FitsLimits& limits = {}) {
    answer_ = fits(device_, {hypothesis_}, {kernels}, limits);
    return answer_.verdict;
  }

  const Device device_ = samples::device();
  Hypothesis hypothesis_;
  Fits answer_;
};

TEST_F(SmallFits, TwoKernelsOfOneStreamNeverDo) {
  std::vector<Kernel> kernels = {kernel("a", 1, 32), kernel("b", 1, 32)};
  kernels[0].stream = kernels[1].stream = "s";
  EXPECT_EQ(verdict(kernels), Fits::Verdict::never);
  EXPECT_THAT(answer_.reason, HasSubstr("one stream (s)"));
  EXPECT_THAT(changes(device_, {hypothesis_}, {kernels}, std::nullopt), IsEmpty());
}

TEST_F(SmallFits, MoreKernelsThanTheDeviceTakesNeverDo) {
  std::vector<Kernel> kernels;
  for (int i = 0; i <= device_.max_resident_kernels; ++i) {
    kernels.push_back(kernel("k" + std::to_string(i), 1, 32));
  }
  EXPECT_EQ(verdict(kernels), Fits::Verdict::never);
}

TEST_F(SmallFits, DifferentLocalMemoryHangsOnTheOrder) {
  std::vector<Kernel> kernels = {kernel("a", 1, 32), kernel("b", 1, 32)};
  kernels[1].local = 64;
  EXPECT_EQ(verdict(kernels), Fits::Verdict::unsafe);
  EXPECT_EQ(answer_.stranding->waits[0].what, Wait::For::local_memory);
  hypothesis_.set<LocalMemory>(LocalMemory::ignored);
  EXPECT_EQ(verdict(kernels), Fits::Verdict::under_model);
  EXPECT_THAT(answer_.why_not_always, HasSubstr("local memory"));
}

/// What is said to be proved is what the verdict rests on.
TEST_F(SmallFits, NothingIsProvedWhereThePremisesDoNotHold) {
  std::vector<Kernel> kernels = {kernel("a", 1, 32), kernel("b", 1, 32)};
  kernels[1].local = 2048;
  hypothesis_.set<LocalMemory>(LocalMemory::ignored);
  EXPECT_EQ(verdict(kernels), Fits::Verdict::under_model);
  EXPECT_FALSE(answer_.proof);
}

/// Of 2 clusters of 2 blocks that fill an SM there is room for on 4 SMs.
TEST_F(SmallFits, FewerBlocksAreWholeClusters) {
  Device device = samples::device();
  device.max_cluster = 4;
  device.gpc_of_sm = {0, 0, 1, 1};
  std::vector<Kernel> kernels = {kernel("a", 8, 1024)};
  kernels[0].registers = 64;
  kernels[0].cluster = 2;
  const std::vector<Change> found = changes(device, {hypothesis_}, {kernels}, std::nullopt);
  EXPECT_THAT(found,
              Contains(AllOf(Field(&Change::of, Change::Of::blocks), Field(&Change::to, 4))));
}

TEST_F(SmallFits, ManyKernelsOfOneKindAreFewOrders) {
  std::vector<Kernel> kernels;
  for (int i = 0; i < 12; ++i) kernels.push_back(kernel("k" + std::to_string(i), 4, 128));
  EXPECT_EQ(verdict(kernels), Fits::Verdict::always);
  EXPECT_EQ(answer_.launches, 12);
}

TEST_F(SmallFits, TooManyOrdersAreNotGuessedAt) {
  std::vector<Kernel> kernels;
  for (int i = 0; i < 6; ++i) kernels.push_back(kernel("k" + std::to_string(i), 1, 32 * (i + 1)));
  kernels[5].cluster.reset();
  hypothesis_.set<Selection>(Selection::round_robin);
  FitsLimits limits;
  limits.orders.most_launches = 50;
  EXPECT_EQ(verdict(kernels, limits), Fits::Verdict::undecided);
  EXPECT_THAT(answer_.reason, HasSubstr("more orders"));
}

TEST_F(SmallFits, EndsWithItsTask) {
  const std::vector<Kernel> kernels = {kernel("large", 3, 1024), kernel("small", 2, 768)};
  hypothesis_.set<ConfigScope>(ConfigScope::none);
  for (const std::string when : {"0 of at most 20000 launches", "looking for a change"}) {
    const Task task(
        [&](const std::string& doing) { return doing.starts_with(when) ? "interrupted" : ""; });
    EXPECT_THROW(
        {
          verdict(kernels, FitsLimits(task));
          ASSERT_TRUE(when.starts_with("looking"));
          changes(device_, answer_, {kernels}, task);
        },
        Stopped)
        << when;
  }
}

TEST_F(SmallFits, ASchedulerThatWastesRoomStrandsWhatOthersDoNot) {
  // One large block is on each of three SMs. Of the small ones, the third is for the fourth SM
  // again, whose turn it is not: a cursor that sticks stands at the first.
  const std::vector<Kernel> kernels = {kernel("large", 3, 1024), kernel("small", 2, 768)};
  hypothesis_.set<ConfigScope>(ConfigScope::none);
  EXPECT_EQ(verdict(kernels), Fits::Verdict::unsafe);
  hypothesis_.set<Selection>(Selection::sticky_round_robin);
  EXPECT_EQ(verdict(kernels), Fits::Verdict::never);
}

TEST_F(SmallFits, AMoreUrgentKernelMayCutIn) {
  std::vector<Kernel> kernels = {kernel("a", 4, 512), kernel("b", 4, 512)};
  kernels[1].priority = -1;
  const Orders seen = orders(device_, hypothesis_, kernels);
  EXPECT_TRUE(seen.all_seen);
  EXPECT_FALSE(seen.stranding);
  EXPECT_GT(seen.launches, 4);  // arrivals in between were looked at
  hypothesis_.set<Priority>(Priority::ignored);
  EXPECT_EQ(orders(device_, hypothesis_, kernels).launches, 4);
}

/// What the device cannot hold is asked under each model: a change has to help under all of them.
TEST_F(SmallFits, WhatNeverFitsIsAskedUnderEachModel) {
  Hypothesis other;
  other.set<Selection>(Selection::first_fit);
  const Fits answer = fits(device_, {hypothesis_, other}, {{kernel("a", 400, 1024)}});
  EXPECT_EQ(answer.verdict, Fits::Verdict::never);
  EXPECT_EQ(answer.asked.size(), 2u);
}

TEST_F(SmallFits, WhatTheModelLeavesToChanceIsUndecided) {
  hypothesis_.set<DispatchBatch>(DispatchBatch::pair);
  hypothesis_.set<PairsInFlight>(PairsInFlight::drifting);
  hypothesis_.set<LocalMemory>(LocalMemory::ignored);
  std::vector<Kernel> kernels = {kernel("a", 33, 32, 1024), kernel("b", 2, 128, 8192)};
  kernels[0].local = 64;  // of which every scheduler may make something else
  EXPECT_EQ(verdict(kernels), Fits::Verdict::undecided);
  EXPECT_THAT(answer_.reason, HasSubstr("chance"));
}

TEST_F(SmallFits, IsSafeUnderAllHypothesesOrNotAtAll) {
  std::vector<Kernel> kernels = {kernel("a", 1, 32), kernel("b", 1, 32)};
  kernels[1].local = 64;
  Hypothesis ignoring;
  ignoring.set<LocalMemory>(LocalMemory::ignored);
  EXPECT_EQ(fits(device_, {ignoring}, {kernels}).verdict, Fits::Verdict::under_model);
  const Fits both = fits(device_, {ignoring, Hypothesis{}}, {kernels});
  EXPECT_EQ(both.verdict, Fits::Verdict::unsafe);
  EXPECT_EQ(both.hypothesis, Hypothesis{});
  ASSERT_EQ(both.asked.size(), 2u);
  EXPECT_EQ(both.asked[0].verdict, Fits::Verdict::under_model);
  EXPECT_EQ(both.asked[1].verdict, Fits::Verdict::unsafe);
}

}  // namespace
}  // namespace cuvier
