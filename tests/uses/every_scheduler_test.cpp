// What is proved of every scheduler, against schedulers that do their worst on small devices.

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "probes/family.h"
#include "tests/samples.h"
#include "uses/fits/fits.h"

namespace cuvier {
namespace {

using Content = std::vector<int>;  ///< of an SM: blocks by kernel

/// A device on which few blocks find place.
Device tiny_device(int sms) {
  Device device = samples::device();
  device.sms = sms;
  device.sms_per_tpc = 1;
  device.max_blocks_per_sm = 4;
  return device;
}

Kernel random_kernel(const std::string& name, Rng& rng) {
  Kernel kernel = samples::kernel(name, uniform(rng, 1, 4), 32 * uniform(rng, 1, 24));
  kernel.registers = 8 * uniform(rng, 2, 10);
  kernel.shared = 1024 * uniform(rng, 0, 60);
  return kernel;
}

/// A scheduler that puts blocks wherever they can be, in any order, to leave one without room.
class WorstScheduler {
 public:
  /// Of the kernels that follow the first so many, all blocks are resident.
  WorstScheduler(const Device& device, const std::vector<Kernel>& kernels, std::size_t asked)
      : kernels_(kernels),
        asked_(asked),
        limits_(limits(device, kernels)),
        needs_(needs(device, kernels, device.largest_config())),
        sms_(device.sms, Content(kernels.size())) {}

  /// Whether it can, wherever those that are resident are.
  bool strands() {
    if (!seen_.insert(sorted()).second) return false;
    for (std::size_t k = asked_; k < kernels_.size(); ++k) {
      if (placed(k) == kernels_[k].blocks) continue;
      return std::ranges::any_of(sms_, [&](Content& sm) {
        ++sm[k];
        const bool wins = is_within(limits_, sm) && strands();
        --sm[k];
        return wins;
      });
    }
    for (std::size_t k = 0; k < asked_; ++k) {
      if (placed(k) == kernels_[k].blocks) continue;
      const auto has_room = [&](Content sm) {
        if (sm == Content(kernels_.size())) return true;  // any legal block
        ++sm[k];
        return is_within(needs_, sm);
      };
      if (std::ranges::none_of(sms_, has_room)) return true;
      for (Content& sm : sms_) {
        ++sm[k];
        const bool wins = is_within(limits_, sm) && strands();
        --sm[k];
        if (wins) return true;
      }
    }
    return false;
  }

  /// Whether all blocks can be there at once.
  bool holds_all() {
    if (!seen_.insert(sorted()).second) return false;
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      if (placed(k) == kernels_[k].blocks) continue;
      for (Content& sm : sms_) {
        ++sm[k];
        const bool wins = is_within(limits_, sm) && holds_all();
        --sm[k];
        if (wins) return true;
      }
      return false;
    }
    return true;
  }

 private:
  int placed(std::size_t k) const {
    int blocks = 0;
    for (const Content& sm : sms_) blocks += sm[k];
    return blocks;
  }
  std::vector<Content> sorted() const {
    std::vector<Content> sms = sms_;
    std::ranges::sort(sms);
    return sms;
  }

  const std::vector<Kernel>& kernels_;
  const std::size_t asked_;
  const std::vector<Resource> limits_;
  const std::vector<Resource> needs_;
  std::vector<Content> sms_;
  std::set<std::vector<Content>> seen_;
};

TEST(EverySchedulerTest, ProofsAgreeWithAdversariesOnAHundredRandomSets) {
  Rng rng(7);
  int safe = 0;
  int impossible = 0;
  for (int set = 0; set < 100; ++set) {
    const Device device = tiny_device(uniform(rng, 2, 3));
    std::vector<Kernel> kernels;
    for (int k = 0; k < uniform(rng, 1, 3); ++k) {
      kernels.push_back(random_kernel("k" + std::to_string(k), rng));
    }
    const std::vector<Kernel> kinds = demands_of(kernels);
    auto nothing =
        nothing_is_stranded(device, kinds, static_cast<int>(kinds.size()), device.largest_config());
    auto not_all = all_do_not_fit(device, kinds);
    ASSERT_TRUE(nothing && not_all);
    const AnsweredClaim stranded = prove(std::move(*nothing), {});
    const AnsweredClaim held = prove(std::move(*not_all), {});
    ASSERT_NE(stranded.answer.kind, SmtAnswer::Kind::unknown) << stranded.answer.reason;
    ASSERT_NE(held.answer.kind, SmtAnswer::Kind::unknown) << held.answer.reason;
    EXPECT_EQ(stranded.holds(), !WorstScheduler(device, kernels, kernels.size()).strands())
        << "set " << set;
    EXPECT_EQ(held.holds(), !WorstScheduler(device, kernels, kernels.size()).holds_all())
        << "set " << set;
    safe += stranded.holds();
    impossible += held.holds();
  }
  // Both answers occur, or nothing was compared.
  EXPECT_GT(safe, 10);
  EXPECT_LT(safe, 90);
  EXPECT_GT(impossible, 5);
}

TEST(EverySchedulerTest, KernelsMayHaveMoreBlocksThanAnIntCounts) {
  const std::vector<Kernel> kernels(3, samples::kernel("k", 1'000'000'000, 32));
  auto claim = all_do_not_fit(samples::device(), demands_of(kernels));
  ASSERT_TRUE(claim);
  EXPECT_TRUE(prove(std::move(*claim), {}).holds());
}

TEST(EverySchedulerTest, ProofsBesideOthersAgreeWithAdversariesOnTwoHundredRandomSets) {
  Rng rng(8);
  int safe = 0;
  int too_careful = 0;  // fewer blocks than are resident would do, but have no place besides
  for (int set = 0; set < 200; ++set) {
    const Device device = tiny_device(uniform(rng, 2, 4));
    Device left = device;
    left.sms -= uniform(rng, 0, 1);  // one is reserved
    std::vector<Kernel> kernels;
    for (int k = 0, count = uniform(rng, 1, 2); k < count; ++k) {
      kernels.push_back(random_kernel("k" + std::to_string(k), rng));
    }
    const std::size_t asked = kernels.size();
    const int asked_kinds = static_cast<int>(demands_of(kernels).size());
    for (int k = 0, count = uniform(rng, 0, 2); k < count; ++k) {
      kernels.push_back(random_kernel("r" + std::to_string(k), rng));
      kernels.back().blocks = std::min(kernels.back().blocks, 2);
    }
    auto claim =
        nothing_is_stranded(left, demands_of(kernels), asked_kinds, device.largest_config());
    ASSERT_TRUE(claim);
    const bool holds = prove(std::move(*claim), {}).holds();
    const bool strands = WorstScheduler(left, kernels, asked).strands();
    EXPECT_FALSE(holds && strands) << "set " << set;
    safe += holds;
    too_careful += !holds && !strands;
  }
  EXPECT_GT(safe, 20);
  EXPECT_LT(too_careful, 20);
}

}  // namespace
}  // namespace cuvier
