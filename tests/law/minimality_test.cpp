// A minimised probe still distinguishes, no single reduction of it does, and no probe undercuts
// what is said to be least.

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "solver/minimise/minimise.h"
#include "solver/minimise/single_launch.h"
#include "solver/minimise/size_bounds.h"
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

/// Four SMs, each so small that most of what can happen to it is met by chance.
Device tiny_device() {
  Device device = small_device(4);
  device.max_blocks_per_sm = 4;
  device.max_warps_per_sm = 16;
  device.max_threads_per_block = 192;
  device.max_registers_per_thread = 32;
  device.registers_per_sm = 4096;
  device.shared_configs = {2048, 4096, 6144};
  device.max_shared_per_block = 5120;
  return device;
}

Kernel any_tiny_kernel(const Device& device, int most_blocks, Rng& rng) {
  Kernel kernel;
  kernel.blocks = uniform(rng, 1, most_blocks);
  do {
    kernel.threads = 32 * uniform(rng, 1, device.max_threads_per_block / 32);
    kernel.registers = 8 * uniform(rng, 2, device.max_registers_per_thread / 8);
  } while (!is_legal(kernel, device));
  kernel.shared = uniform(rng, 0, 1) * 1024 * uniform(rng, 0, device.max_shared_per_block / 1024);
  if (uniform(rng, 0, 5) == 0) kernel.local = 16 * uniform(rng, 1, 2);
  if (uniform(rng, 0, 5) == 0) kernel.priority = -1;
  return kernel;
}

/// Launches of so many kernels and other actions that release some blocks.
Probe any_tiny_probe(const Device& device, int kernels, int actions, int most_blocks, Rng& rng) {
  Probe probe{"tiny", {}, {}};
  int releases = actions - kernels;
  const auto release = [&] {
    Release some{uniform(rng, 0, static_cast<int>(probe.kernels.size()) - 1), {}};
    const int blocks = probe.kernels[some.kernel].blocks;
    const int one_of = uniform(rng, 1, 6);
    for (int block = 0; block < blocks; ++block) {
      if (uniform(rng, 1, one_of) == 1) some.blocks.push_back(block);
    }
    probe.script.push_back({{}, {some}});
    --releases;
  };
  for (int k = 0; k < kernels; ++k) {
    const int left = most_blocks - (kernels - 1 - k);
    probe.kernels.push_back(any_tiny_kernel(device, left, rng));
    probe.kernels.back().name = "k" + std::to_string(k);
    most_blocks -= probe.kernels.back().blocks;
    probe.script.push_back({k, {}});
    while (releases > 0 && (k + 1 == kernels || uniform(rng, 0, 1) == 0)) release();
  }
  return probe;
}

/// Whether the probe would show a claim to be wrong if it told the two apart.
bool undercuts(const ProbeSize& size, const ProbeSize& claimed, const Minimality& least) {
  if (size.kernels != claimed.kernels) return size.kernels < claimed.kernels && least.kernels.least;
  if (size.actions != claimed.actions) return size.actions < claimed.actions && least.actions.least;
  if (size.blocks != claimed.blocks) return size.blocks < claimed.blocks && least.blocks.least;
  return size < claimed && least.resources.least;
}

/// How many of the probes tried would have undercut the claim; fails for one that does.
int try_to_undercut(const Minimised& minimised, const Device& device, const Hypothesis& a,
                    const Hypothesis& b, int probes, Rng& rng) {
  const ProbeSize claimed = size_of(minimised.probe);
  int fair = 0;
  for (int i = 0; i < probes; ++i) {
    const int kernels = uniform(rng, std::max(1, claimed.kernels - 1), claimed.kernels);
    const int most_actions = kernels < claimed.kernels ? kernels + 3 : claimed.actions;
    const int most_blocks =
        kernels < claimed.kernels ? 4 * device.sms + 3 : std::max(claimed.blocks, kernels);
    const Probe probe = any_tiny_probe(device, kernels, uniform(rng, kernels, most_actions),
                                       uniform(rng, kernels, most_blocks), rng);
    if (!undercuts(size_of(probe), claimed, minimised.least)) continue;
    ++fair;
    EXPECT_FALSE(distinction_by(probe, device, a, b))
        << describe(a) << " and " << describe(b) << ": " << to_json(probe).dump() << " undercuts "
        << to_json(minimised.probe).dump();
    if (::testing::Test::HasFailure()) break;
  }
  return fair;
}

TEST(Minimality, NothingUndercutsWhatIsProvedLeast) {
  const Device device = tiny_device();
  Rng rng(4);
  MinimiseOptions options;
  options.escapes = 300;
  int pairs = 0;
  int all_proved = 0;
  int fair = 0;
  for (int point = 0; point < 4; ++point) {
    const Hypothesis a = point == 0 ? Hypothesis{} : random_hypothesis(device, rng);
    for (const Hypothesis& b : single_axis_changes(device, a, rng)) {
      if (point > 0 && uniform(rng, 0, 3) > 0) continue;
      const auto probe = any_distinction(device, a, b, rng);
      if (!probe) continue;
      const Minimised minimised = minimise_between(*probe, device, a, b, options);
      EXPECT_TRUE(distinction_by(minimised.probe, device, a, b));
      ++pairs;
      all_proved += minimised.least.blocks.least;
      fair += try_to_undercut(minimised, device, a, b, 3000, rng);
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(all_proved, pairs / 2);
  EXPECT_GT(fair, 300 * pairs);
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

/// Where two launches are said to show nothing, none of two kernels do.
TEST(Minimality, TwoLaunchesShowNothingOfWhatNeedsARelease) {
  const Device device = tiny_device();
  Rng rng(5);
  int pairs = 0;
  for (int point = 0; point < 8; ++point) {
    const Hypothesis a = random_hypothesis(device, rng);
    for (const Hypothesis& b : single_axis_changes(device, a, rng)) {
      if (!why_two_launches_show_nothing(a, b)) continue;
      ++pairs;
      for (int i = 0; i < 500; ++i) {
        const Probe probe = any_tiny_probe(device, 2, 2, uniform(rng, 2, 6 * device.sms), rng);
        ASSERT_FALSE(distinction_by(probe, device, a, b)) << to_json(probe).dump();
      }
    }
  }
  EXPECT_GT(pairs, 10);
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
