// A minimised probe still distinguishes, and no single reduction of it does.

#include <gmock/gmock.h>

#include "solver/search/minimize.h"
#include "solver/search/single_launch.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

/// A probe of any family that tells the two apart, if some hundred have one.
std::optional<Probe> any_distinction(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                     Rng& rng) {
  for (int i = 0; i < 300; ++i) {
    const Probe probe = random_probe(device, rng);
    if (distinction_by(probe, device, a, b)) return probe;
  }
  return std::nullopt;
}

void expect_minimal(const Minimised& minimised, const Probe& before, const Device& device,
                    const Hypothesis& a, const Hypothesis& b) {
  const Probe& probe = minimised.probe;
  const std::string what = describe(a) + " and " + describe(b) + ": " + to_json(probe).dump();
  EXPECT_LE(size_of(probe).kernels, size_of(before).kernels) << what;
  EXPECT_EQ(probe_from_json(to_json(probe), "minimised"), probe);
  EXPECT_NO_THROW(validate(probe, device, "minimised"));
  EXPECT_TRUE(distinction_by(probe, device, a, b)) << what;
  for (const Reduction& reduction : reductions_of(probe)) {
    const Probe smaller = reduced(probe, reduction);
    ASSERT_FALSE(distinction_by(smaller, device, a, b)) << what << to_json(smaller).dump();
  }
}

TEST(Minimality, NoSingleReductionOfAMinimisedProbeDistinguishes) {
  const Device device = small_device(4);
  Rng rng(1);
  MinimiseOptions options;
  options.escapes = 300;
  int minimised = 0;
  for (int point = 0; point < 4; ++point) {
    const Hypothesis a = point == 0 ? Hypothesis{} : random_hypothesis(device, rng);
    for (const Hypothesis& b : single_axis_changes(device, a, rng)) {
      if (point > 0 && uniform(rng, 0, 3) > 0) continue;
      const auto probe = any_distinction(device, a, b, rng);
      if (!probe) continue;
      expect_minimal(minimise_between(*probe, device, a, b, options), *probe, device, a, b);
      ++minimised;
    }
  }
  EXPECT_GT(minimised, 60);
}

/// What is claimed of single launches is what asking any of them would show.
TEST(Minimality, NoSingleLaunchUndercutsOneThatIsProvedLeast) {
  const Device device = small_device(4);
  Rng rng(2);
  for (const Hypothesis& b : single_axis_changes(device, {}, rng)) {
    const SingleLaunch single = smallest_single_launch(device, {}, b);
    ASSERT_TRUE(single.complete) << describe(b);
    for (int i = 0; i < 400; ++i) {
      Kernel kernel = random_probe(device, rng).kernels.front();
      if (single.kernel) kernel.blocks = std::min(kernel.blocks, single.kernel->blocks - 1);
      kernel.stream.reset();
      const Probe probe{"single", {kernel}, {{0, {}}}};
      if (kernel.blocks == 0) break;
      ASSERT_FALSE(distinction_by(probe, device, {}, b)) << describe(b);
    }
  }
}

/// Where one kernel is said to show nothing, no script of one does.
TEST(Minimality, OneKernelShowsNothingOfWhatConcernsSeveral) {
  const Device device = small_device(4);
  Rng rng(3);
  int pairs = 0;
  for (int point = 0; point < 8; ++point) {
    const Hypothesis a = random_hypothesis(device, rng);
    for (const Hypothesis& b : single_axis_changes(device, a, rng)) {
      if (!why_one_kernel_shows_nothing(a, b)) continue;
      ++pairs;
      for (int i = 0; i < 100; ++i) {
        Probe probe = random_probe(device, rng);
        const int kernel = uniform(rng, 0, static_cast<int>(probe.kernels.size()) - 1);
        probe = without_kernels(probe, kernel + 1, static_cast<int>(probe.kernels.size()));
        probe = without_kernels(probe, 0, kernel);
        ASSERT_FALSE(distinction_by(probe, device, a, b)) << to_json(probe).dump();
      }
    }
  }
  EXPECT_GT(pairs, 10);
}

}  // namespace
}  // namespace cuvier
