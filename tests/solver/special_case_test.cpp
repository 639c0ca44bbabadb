#include "solver/finding/special_case.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "hypotheses/devices.h"
#include "hypotheses/neighbours.h"
#include "probes/family.h"
#include "solver/infer/special_case_probes.h"
#include "tests/law/out_of_space.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

KernelClass at_least(std::string_view quantity, int least) {
  const auto all = kernel_quantities();
  return {.quantity = &*std::ranges::find(all, quantity, &Quantity::name), .least = least};
}

class SpecialCaseTest : public ::testing::Test {
 protected:
  const Deviation& deviation(std::string_view words) const {
    return *std::ranges::find(deviations_, words, &Deviation::words);
  }
  std::vector<Probe> probes() {
    std::vector<Probe> probes;
    for (const ProbeFamily& family : probe_families(device_)) {
      for (int i = 0; i < 8; ++i) probes.push_back(family.draw(device_, rng_));
    }
    return probes;
  }

  Device device_ = find_device("rtx3090");
  Rng rng_{1};
  std::vector<Deviation> deviations_ = deviations(device_, {}, rng_);
};

/// Held to a scheduler whose rule was changed in the scheduler itself.
TEST_F(SpecialCaseTest, JudgesTheBlocksOfAClassByTheOtherRule) {
  Hypothesis plain;
  plain.set<PointerSkip>(PointerSkip::none);
  const auto all = deviations(device_, plain, rng_);
  const auto always = std::ranges::find(all, "pointer_skip=always", &Deviation::words);
  ASSERT_NE(always, all.end());
  SpecialCase mechanism(device_, plain, *always, at_least("warps per block", 8));
  out_of_space::ChangedRule<out_of_space::SkipByThreshold> oracle(device_, 8);
  int unlike_plain = 0;
  for (const Probe& probe : probes()) {
    oracle.begin_session();
    const Observation seen = *oracle.run(probe, 1).front().observation;
    EXPECT_EQ(seen_through({}, mechanism.preview(probe)), seen);
    unlike_plain += seen_through({}, predict(device_, plain, probe)) != seen ? 1 : 0;
  }
  EXPECT_GT(unlike_plain, 0);
}

TEST_F(SpecialCaseTest, TakesKernelsOfAClassForOthers) {
  SpecialCase mechanism(device_, {}, deviation("has no priority"),
                        at_least("blocks of the kernel", 24));
  for (Probe probe : probes()) {
    const Observation seen = mechanism.preview(probe);
    for (Kernel& kernel : probe.kernels) {
      if (kernel.blocks >= 24) kernel.priority = 0;
    }
    EXPECT_EQ(seen, predict(device_, {}, probe));
  }
}

/// A limit, or a choice that is no matter of single blocks: as a whole.
TEST_F(SpecialCaseTest, GoesOtherwiseWhereAProbeHasSuchAKernel) {
  SpecialCase ordered(device_, {}, deviation("tie_break=linear"),
                      at_least("blocks of the kernel", 24));
  Hypothesis linear;
  linear.set<TieBreak>(TieBreak::linear);
  SpecialCase limited(device_, {}, deviation("15 block slots of an SM"));
  Device fewer = device_;
  fewer.max_blocks_per_sm = 15;
  for (const Probe& probe : probes()) {
    const bool large =
        std::ranges::any_of(probe.kernels, [](const Kernel& k) { return k.blocks >= 24; });
    EXPECT_EQ(ordered.preview(probe), predict(device_, large ? linear : Hypothesis{}, probe));
    EXPECT_EQ(limited.preview(probe), predict(fewer, {}, probe));
  }
}

/// No hypothesis says it, and a formula does.
TEST_F(SpecialCaseTest, IsAlsoTheReverseOfWhatAValueSays) {
  const int axis = index_of<SharedPlacement>();
  const SpecialCase::Kernels large = at_least("bytes of shared memory", 12161);
  SpecialCase last(device_, {}, deviation("shared_placement=-start"), large);
  const auto with = [&](const std::string& text) {
    return Hypothesis().with(axis, formula_value(axis, text));
  };
  const Hypothesis formula = with("bytes >= 13312 ? -start : start");
  int otherwise = 0;
  Rng rng{3};
  for (const ProbeFamily& family : confirming_families(device_)) {
    for (int i = 0; i < 40; ++i) {
      const Probe probe = family.draw(device_, rng);
      const Observation seen = last.preview(probe);
      EXPECT_EQ(seen, predict(device_, formula, probe)) << family.name;
      otherwise += seen != predict(device_, {}, probe) ? 1 : 0;
    }
  }
  EXPECT_GT(otherwise, 0);

  const Hypothesis reverse = with("-start");
  const auto words = [&](const Hypothesis& base) {
    std::vector<std::string> words;
    for (const Hypothesis& h : reversed_axes(device_, base)) words.push_back(differences(base, h));
    return words;
  };
  EXPECT_THAT(words({}), testing::Contains("selection=room"));
  EXPECT_THAT(words({}), testing::Not(testing::Contains("selection=-warps")))
      << "most_warps says it";
  EXPECT_THAT(words(reverse), testing::Not(testing::Contains("shared_placement=-start")));
}

TEST_F(SpecialCaseTest, ShowsTheSameWhereTheSameDeviateOfThoseThatMatter) {
  Simulator base(device_, {});
  const KernelClass large = at_least("warps per block", 8);
  const std::vector<std::string> everything = {"warp_slot", "shared_config"};
  int without = 0;
  for (const Probe& probe : probes()) {
    const Observation plain = base.preview(probe);
    for (const Deviation& deviation : deviations_) {
      SpecialCase mechanism(device_, {}, deviation);
      const Observation all = mechanism.preview(probe);
      const std::vector<bool> matter = deviation.matter(base, probe);
      const std::vector<bool> matter_then = mechanism.matter(probe);
      EXPECT_EQ(mechanism.shows_otherwise(probe, plain, everything), all != plain);
      const std::vector<bool> matter_so_far = mechanism.matter(probe);
      mechanism.single_out(large);
      const Observation some = mechanism.preview(probe);
      bool none = true;
      bool the_same = deviation.concerns(large);
      bool the_same_so_far = the_same;
      for (std::size_t k = 0; k < matter.size(); ++k) {
        const bool is_large = large.has(probe.kernels[k]);
        none = none && !(matter[k] && is_large);
        the_same = the_same && (!matter_then[k] || is_large);
        the_same_so_far = the_same_so_far && (!matter_so_far[k] || is_large);
      }
      if (none) {
        EXPECT_EQ(some, plain) << deviation.words;
      }
      if (the_same && !deviation.of_probes()) {
        EXPECT_EQ(some, all) << deviation.words;
      }
      if (the_same_so_far && !deviation.of_probes()) {
        EXPECT_EQ(some != plain, all != plain) << deviation.words;
      }
      without += none || the_same ? 1 : 0;
    }
  }
  EXPECT_GT(without, 0);
}

TEST_F(SpecialCaseTest, LetsKernelsOfAPriorityInWhereTheRuleRefuses) {
  const auto under = [](const std::string& rule) {
    return Hypothesis().with(index_of<Admission>(), formula_value(index_of<Admission>(), rule));
  };
  const Hypothesis base = under("blocks < 2");
  const Hypothesis with_exception = under("blocks < 2 or priority < 0");
  const Deviation deviation{index_of<Admission>(), Hypothesis{}, nullptr, {}, "admission=any"};
  const KernelClass urgent = at_least("levels above the default priority", 1);
  EXPECT_TRUE(deviation.concerns(urgent));
  EXPECT_FALSE(deviation.concerns(at_least("blocks of the kernel", 1)));
  SpecialCase mechanism(device_, base, deviation, urgent);
  int shown = 0;
  for (Probe probe : probes()) {
    for (Kernel& kernel : probe.kernels) {
      kernel.blocks = 3 * device_.sms;
      kernel.priority = &kernel == &probe.kernels.back() ? -1 : 0;
    }
    const Observation seen = mechanism.preview(probe);
    EXPECT_EQ(seen, predict(device_, with_exception, probe));
    shown += seen != predict(device_, base, probe);
  }
  EXPECT_GT(shown, 0);
}

TEST_F(SpecialCaseTest, SaysWhichKernels) {
  EXPECT_EQ(words(at_least("registers per thread", 96)), "registers per thread >= 96");
  KernelClass kernels = at_least("warps per block", 5);
  kernels.most = 7;
  EXPECT_EQ(words(kernels), "warps per block from 5 to 7");
  kernels.most = 5;
  EXPECT_EQ(words(kernels), "warps per block = 5");
  EXPECT_EQ(words(KernelClass{}), "any kernel");
}

/// Each probe that is proposed shows special cases that none before it would have.
TEST_F(SpecialCaseTest, IsLookedForUntilItWouldHaveShown) {
  SpecialCaseProbes probes(device_, {}, {}, rng_);
  std::vector<Recording> asked;
  const auto ask = [&](const Probe& probe) {
    asked.push_back({probe, facts_of(predict(device_, {}, probe), probe), true, ""});
    probes.observe(asked, {});
  };
  for (const ProbeFamily& family : probe_families(device_)) ask(family.draw(device_, rng_));
  for (int i = 0; i < 20; ++i) {
    const int before = probes.shown();
    const auto probe = probes.next({});
    ASSERT_TRUE(probe);
    ask(*probe);
    EXPECT_GT(probes.shown(), before);
  }
  EXPECT_GT(2 * probes.shown(), probes.all());
}

}  // namespace
}  // namespace cuvier
