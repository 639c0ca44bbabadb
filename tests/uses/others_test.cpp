// What is said beside resident blocks and reserved SMs, against an adversary that tries all their
// places and all orders on small devices.

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "hypotheses/devices.h"
#include "hypotheses/readings/concrete_reading.h"
#include "hypotheses/scheduler/scheduler.h"
#include "tests/law/planted.h"
#include "uses/fits/changes.h"
#include "uses/fits/fits.h"
#include "uses/partition.h"

namespace cuvier {
namespace {

/// Two or three SMs, on which few blocks find place.
Device tiny_device(Rng& rng) {
  Device device = small_device(uniform(rng, 2, 3));
  device.max_blocks_per_sm = 4;
  return device;
}

Kernel random_kernel(const std::string& name, int most_blocks, const Device& device, Rng& rng) {
  Kernel kernel = samples::kernel(name, uniform(rng, 1, most_blocks), 32 * uniform(rng, 1, 24));
  kernel.registers = 8 * uniform(rng, 2, 10);
  kernel.shared = 1024 * uniform(rng, 0, 60);
  while (!is_legal(kernel, device)) kernel.registers -= 8;
  return kernel;
}

Others random_others(const Device& device, Rng& rng) {
  Others others;
  while (others.none()) {
    others = {};
    for (int k = 0, count = uniform(rng, 0, 2); k < count; ++k) {
      others.resident.push_back(random_kernel("r" + std::to_string(k), 3 - count, device, rng));
    }
    others.reserved.count = uniform(rng, 0, 1);
    if (others.reserved.count > 0 && uniform(rng, 0, 1) == 0) {
      others.reserved.sms = {uniform(rng, 0, device.sms - 1)};
    }
  }
  return others;
}

/// A block of a kernel goes where it is told, if it fits there.
class Obedient : public ConcreteReading {
 public:
  Obedient(const Device& device, const Hypothesis& hypothesis)
      : ConcreteReading(SingleReading(device, hypothesis)),
        groups_(groups_of(device, hypothesis.get<Hierarchy>())) {}

  std::optional<int> told;

  void placed(int, int, int, const Warps&) const {}
  int pick(const auto& options, int of_groups, const Entry& entry, const auto& allowed) const {
    for (const auto& o : options) {
      if (!told || !o.eligible) continue;
      if (of_groups ? std::ranges::count(groups_[o.id], *told) > 0 : o.id == *told) return o.id;
    }
    return ConcreteReading::pick(options, of_groups, entry, allowed);
  }
  const auto& at_cursor(const auto& options, const Entry& entry) const {
    for (const auto& o : options) {
      if (o.id == told) return o;
    }
    return ConcreteReading::at_cursor(options, entry);
  }

 private:
  const std::vector<std::vector<int>> groups_;
};

class Adversary {
 public:
  Adversary(const Device& device, const Hypothesis& hypothesis, const std::vector<Kernel>& kernels,
            const Others& others) {
    for (int mask = 0; mask < 1 << device.sms; ++mask) {
      std::vector<int> reserved;
      for (int sm = 0; sm < device.sms; ++sm) {
        if (mask >> sm & 1) reserved.push_back(sm);
      }
      const auto& [count, sms] = others.reserved;
      if (sms.empty() ? std::ssize(reserved) != count : reserved != sms) continue;
      part_ = without_sms(device, reserved);
      there_ = on_partition(device, hypothesis, part_);
      std::vector<int> residents;  // whose blocks come, one after the other
      for (int k = 0; k < std::ssize(others.resident); ++k) {
        residents.insert(residents.end(), others.resident[k].blocks, k);
      }
      do {
        probe_ = {};
        for (const int k : residents) {
          probe_.kernels.push_back(others.resident[k]);
          probe_.kernels.back().blocks = 1;
        }
        probe_.kernels.insert(probe_.kernels.end(), kernels.begin(), kernels.end());
        for (int k = 0; k < std::ssize(probe_.kernels); ++k) probe_.script.push_back({k, {}});
        place({}, residents.size());
      } while (std::ranges::next_permutation(residents).found);
    }
  }

  bool strands = false;  ///< a block, somewhere, in some order
  bool places = false;   ///< all, likewise

 private:
  void place(std::vector<int> sms, std::size_t blocks) {
    if (sms.size() == blocks) return try_orders(sms);
    sms.push_back(0);
    for (int& sm = sms.back(); sm < part_.device.sms; ++sm) place(sms, blocks);
  }

  void try_orders(const std::vector<int>& sms) {
    std::vector<int> order(probe_.kernels.size() - sms.size());
    std::iota(order.begin(), order.end(), static_cast<int>(sms.size()));
    do run(sms, order);
    while (std::ranges::next_permutation(order).found);
  }

  void run(const std::vector<int>& sms, const std::vector<int>& order) {
    Obedient reading(part_.device, there_);
    Scheduler<Obedient> scheduler(reading, part_.device);
    scheduler.begin(probe_);
    for (int k = 0; k < std::ssize(sms); ++k) {
      reading.told = sms[k];
      scheduler.launch(k);
      if (scheduler.sm_of_block(k) != std::vector{sms[k]}) return;  // it cannot be there
    }
    reading.told.reset();
    bool all = true;
    for (const int k : order) scheduler.launch(k);
    for (const int k : order) all = all && scheduler.places(k) == probe_.kernels[k].blocks;
    (all ? places : strands) = true;
  }

  Partition part_;
  Hypothesis there_;
  Probe probe_;
};

TEST(Others, VerdictsAreThoseOfAnAdversary) {
  Rng rng(21);
  int verdicts[5] = {};
  for (int set = 0; set < 300; ++set) {
    const Device device = tiny_device(rng);
    std::vector<Kernel> kernels;
    for (int k = 0, count = uniform(rng, 1, 3); k < count; ++k) {
      kernels.push_back(random_kernel("k" + std::to_string(k), 3, device, rng));
    }
    const Others others = random_others(device, rng);
    Hypothesis hypothesis = random_hypothesis(device, rng);
    hypothesis.set<DispatchBatch>(DispatchBatch::single);
    if (set % 2 == 0) hypothesis = {};  // some are proved of
    const Adversary adversary(device, hypothesis, kernels, others);
    if (!adversary.strands && !adversary.places) continue;  // the others do not fit
    const Fits answer = fits(device, {hypothesis}, {kernels, others});
    const bool is_safe =
        answer.verdict == Fits::Verdict::always || answer.verdict == Fits::Verdict::under_model;
    const std::string what = fmt::format("set {}: {}", set, describe(hypothesis));
    EXPECT_NE(answer.verdict, Fits::Verdict::undecided) << what << answer.reason;
    EXPECT_EQ(is_safe, !adversary.strands) << what;
    EXPECT_EQ(answer.verdict == Fits::Verdict::never, !adversary.places) << what;
    ++verdicts[static_cast<int>(answer.verdict)];
  }
  EXPECT_GT(std::accumulate(std::begin(verdicts), std::end(verdicts), 0), 200);
  for (const Fits::Verdict verdict : {Fits::Verdict::always, Fits::Verdict::under_model,
                                      Fits::Verdict::unsafe, Fits::Verdict::never}) {
    EXPECT_GT(verdicts[static_cast<int>(verdict)], 15) << static_cast<int>(verdict);
  }
}

class OthersOnB200 : public ::testing::Test {
 protected:
  static Kernel kernel(const std::string& name, int blocks, int threads, int shared) {
    Kernel kernel = samples::kernel(name, blocks, threads);
    kernel.shared = shared;
    return kernel;
  }

  const Device device_ = find_device("b200");
  const std::vector<Hypothesis> model_ = {Hypothesis{}};
  const Kernel workers_ = kernel("workers", 128, 256, 213 * kKiB);
  const Kernel comm_ = kernel("comm", 20, 512, 100 * kKiB);
};

TEST_F(OthersOnB200, WorkersFitBesideBlocksThatLeaveSmsEnough) {
  EXPECT_EQ(fits(device_, model_, {{workers_}, {{comm_}}}).verdict, Fits::Verdict::always);
  Kernel more = comm_;
  more.blocks = 21;
  const Fits answer = fits(device_, model_, {{workers_}, {{more}}});
  EXPECT_EQ(answer.verdict, Fits::Verdict::unsafe);
  EXPECT_EQ(answer.beside.blocks.size(), 21u);
  EXPECT_FALSE(is_a_probe(answer));
  const std::vector<Change> mended = changes(device_, model_, {{workers_}, {{more}}}, answer.safe);
  ASSERT_FALSE(mended.empty());
  EXPECT_EQ(mended[0].of, Change::Of::blocks);
  EXPECT_EQ(mended[0].to, 127);
}

TEST_F(OthersOnB200, SchedulersTakeWhatIsLeftFromWorkers) {
  const std::vector<Kernel> kernels = {workers_, kernel("schedulers", 80, 32, 16 * kKiB)};
  const Fits answer = fits(device_, model_, {kernels, {{comm_}}});
  EXPECT_EQ(answer.verdict, Fits::Verdict::unsafe);
  ASSERT_TRUE(answer.stranding);
  EXPECT_EQ(answer.stranding->stranded.at(0), 80);  // a scheduler is on 80 of 128 SMs
}

TEST_F(OthersOnB200, WorkersFitOnSmsThatAreNotReserved) {
  EXPECT_EQ(fits(device_, model_, {{workers_}, {{}, {20}}}).verdict, Fits::Verdict::always);
  const Fits answer = fits(device_, model_, {{workers_}, {{}, {21}}});
  EXPECT_EQ(answer.verdict, Fits::Verdict::never);
  const Fits named = fits(device_, model_, {{kernel("a", 4, 1024, 0)}, {{}, {2, {0, 7}}}});
  EXPECT_EQ(named.verdict, Fits::Verdict::always);
}

TEST_F(OthersOnB200, TheyHaveAPlaceOrTheFileIsWrong) {
  const Others others{{kernel("comm", 149, 256, 213 * kKiB)}, {}, "k.json: resident"};
  EXPECT_EQ(
      samples::message_of([&] {
        fits(device_, model_, {{workers_}, others});
      }),
      "k.json: resident: " + device_.name + " has no place for all of these blocks; list fewer");
  const Others many{{kernel("comm", 1'000'000'000, 32, 0)}, {}};
  EXPECT_THAT(samples::message_of([&] {
                fits(device_, model_, {{workers_}, many});
              }),
              ::testing::HasSubstr("has no place for all"));
}

}  // namespace
}  // namespace cuvier
