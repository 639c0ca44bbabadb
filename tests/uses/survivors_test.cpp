// `fits` for all that survive an inference, against each of them alone.

#include "uses/fits/survivors.h"

#include <gtest/gtest.h>

#include <set>

#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "solver/space/version_space.h"
#include "tests/samples.h"
#include "uses/fits/fits.h"

namespace cuvier {
namespace {

Assumptions some_axes(const Device& device) {
  Assumptions assumptions = Assumptions::all(device);
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::string name(axis_info(axis).name);
    static const std::set<std::string> open = {"queue",       "priority",     "selection",
                                               "config_gate", "config_scope", "warp_placement",
                                               "pointer_skip"};
    if (!open.contains(name)) {
      assumptions.restrict_by(name + '=' + std::string(axis_info(axis).values[0].name));
    }
  }
  assumptions.restrict_by("selection=most_room,first_fit,fewest_warps,sticky_round_robin");
  return assumptions;
}

Recording recorded(const Device& device, const Probe& probe) {
  const Observation seen = predict(device, Hypothesis{}, probe);
  return {.probe = probe, .facts = facts_of(seen, probe), .where = {}};
}

std::vector<Kernel> kernels_of_few_sizes(Rng& rng) {
  std::vector<Kernel> kernels;
  const int count = uniform(rng, 2, 3);
  for (int k = 0; k < count; ++k) {
    Kernel kernel =
        samples::kernel("k" + std::to_string(k), uniform(rng, 1, 8), 32 * uniform(rng, 1, 16));
    kernel.registers = 8 * uniform(rng, 2, 10);
    kernel.shared = uniform(rng, 0, 2) == 0 ? 0 : 1024 * uniform(rng, 1, 60);
    kernel.priority = uniform(rng, 0, 4) == 0 ? -1 : 0;
    kernels.push_back(kernel);
  }
  return kernels;
}

TEST(Survivors, AreAllAnsweredForAtOnce) {
  const Device device = samples::device();
  const Assumptions assumptions = some_axes(device);
  const Probe probe{"p", {samples::kernel("a", 3, 96)}, {{0, {}}}};
  const std::vector<Session> sessions = {{recorded(device, probe)}};
  VersionSpace space(device, assumptions);
  space.observe(sessions[0][0]);
  const auto members = space.members(5'000);
  ASSERT_TRUE(members.has_value());
  ASSERT_GT(members->size(), 100U);
  Rng rng(5);
  int safe = 0;
  int unsafe = 0;
  int differ = 0;  // safe under some, unsafe under others
  for (int set = 0; set < 30; ++set) {
    const std::vector<Kernel> kernels = kernels_of_few_sizes(rng);
    int strand = 0;
    for (const Hypothesis& member : *members) {
      strand += orders(device, member, kernels).stranding.has_value();
    }
    Survivors survivors(device, assumptions, {}, sessions, {});
    EXPECT_EQ(survivors.count().all, static_cast<double>(members->size()));
    const Fits answer = fits(device, survivors, {kernels});
    if (strand == 0) {
      ++safe;
      EXPECT_TRUE(answer.verdict == Fits::Verdict::always ||
                  answer.verdict == Fits::Verdict::under_model);
      EXPECT_EQ(survivors.count().safe, survivors.count().all);
      EXPECT_LT(survivors.count().behaviours, static_cast<int>(members->size()));
    } else {
      ++unsafe;
      differ += strand < std::ssize(*members);
      EXPECT_TRUE(answer.verdict == Fits::Verdict::unsafe ||
                  answer.verdict == Fits::Verdict::never);
      if (answer.proof && answer.proof->holds()) continue;  // whoever it is
      EXPECT_TRUE(space.contains(answer.hypothesis));
      EXPECT_TRUE(orders(device, answer.hypothesis, kernels).stranding.has_value());
      EXPECT_LE(survivors.count().safe, survivors.count().all - strand);
    }
  }
  EXPECT_GT(safe, 2);
  EXPECT_GT(unsafe, 2);
  EXPECT_GT(differ, 2);
}

// Who drifts may place blocks as another does, and may do otherwise the next time.
TEST(Survivors, WhoLeavesSomethingToChanceIsNotLikeWhoDoesNot) {
  const Device device = samples::device();
  Assumptions assumptions = Assumptions::all(device);
  assumptions.restrict_by("algorithm-1");
  assumptions.allowed[index_of<DispatchBatch>()] = one_of(DispatchBatch::pair);
  assumptions.allowed[index_of<PairsInFlight>()] =
      one_of(PairsInFlight::one, PairsInFlight::two, PairsInFlight::drifting);
  Survivors survivors(device, assumptions, {}, {}, {});
  fits(device, survivors, {{samples::kernel("a", 40, 32)}});
  EXPECT_EQ(survivors.count().all, 3);
  EXPECT_EQ(survivors.count().safe, 2);
}

TEST(Survivors, BeyondTheLimitsNothingIsClaimed) {
  const Device device = samples::device();
  Survivors survivors(device, some_axes(device), {}, {}, {});
  FitsLimits limits;
  limits.most_launches = 3;
  const std::vector<Kernel> kernels = {samples::kernel("a", 2, 64), samples::kernel("b", 3, 96)};
  const Fits answer = fits(device, survivors, {kernels}, limits);
  EXPECT_EQ(answer.verdict, Fits::Verdict::undecided);
  EXPECT_LT(survivors.count().safe, survivors.count().all);
}

}  // namespace
}  // namespace cuvier
