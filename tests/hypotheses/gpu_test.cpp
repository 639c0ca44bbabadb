#include "hypotheses/gpu.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/family.h"

namespace cuvier {
namespace {

/// A Gpu, and the script of all that was done to it.
class Told {
 public:
  Told(const Device& device, const Hypothesis& hypothesis)
      : gpu_(device, hypothesis, SingleReading(device, hypothesis).sm_ranks()) {}

  void launch(const Kernel& kernel) {
    const int k = gpu_.launch(kernel);
    EXPECT_EQ(k, std::ssize(probe_.kernels));
    probe_.kernels.push_back(kernel);
    probe_.kernels.back().name = fmt::format("k{}", k);
    probe_.script.push_back({k, {}});
    note();
  }

  void release(const std::vector<Release>& releases) {
    gpu_.release(releases);
    for (const Release& release : releases) {
      std::erase_if(resident_, [&](const Gpu::Start& start) {
        return start.kernel == release.kernel &&
               (release.blocks.empty() ||
                std::ranges::find(release.blocks, start.block) != release.blocks.end());
      });
    }
    probe_.script.push_back({std::nullopt, releases});
    note();
  }

  /// One block, any, of those that are resident.
  void release_any(Rng& rng) {
    if (resident_.empty()) return;
    const auto& start = resident_[uniform(rng, 0, static_cast<int>(resident_.size()) - 1)];
    release({{start.kernel, {start.block}}});
  }

  void release_all() {
    while (!resident_.empty()) release({{resident_.front().kernel, {}}});
    EXPECT_TRUE(gpu_.idle());
  }

  const Probe& probe() const { return probe_; }
  const std::vector<std::vector<Gpu::Start>>& steps() const { return steps_; }

 private:
  void note() {
    steps_.push_back(gpu_.started());
    resident_.insert(resident_.end(), steps_.back().begin(), steps_.back().end());
  }

  Gpu gpu_;
  Probe probe_{"told", {}, {}};
  std::vector<std::vector<Gpu::Start>> steps_;
  std::vector<Gpu::Start> resident_;
};

/// The same of a prediction.
std::vector<std::vector<Gpu::Start>> starts_of(const Observation& observation) {
  std::vector<std::vector<Gpu::Start>> steps;
  for (const Step& step : observation.steps) {
    auto& starts = steps.emplace_back();
    for (const Started& started : step.started) {
      for (std::size_t i = 0; i < started.block.size(); ++i) {
        const auto slots = started.warp_slot[i];
        starts.push_back(
            {started.kernel, started.block[i], started.sm[i], {slots.begin(), slots.end()}});
      }
    }
  }
  return steps;
}

/// By kernel and block, as in an observation.
std::vector<std::vector<Gpu::Start>> sorted(std::vector<std::vector<Gpu::Start>> steps) {
  for (auto& starts : steps) {
    std::ranges::sort(starts, {},
                      [](const Gpu::Start& start) { return std::pair(start.kernel, start.block); });
  }
  return steps;
}

class GpuOf : public testing::TestWithParam<const char*> {};

/// Kernels come one by one, the device is idle now and then, and all is as in one long probe whose
/// kernels are known from the start.
TEST_P(GpuOf, DoesAsIsPredictedOfTheWholeScript) {
  const Device device = find_device("rtx3090");
  const Hypothesis hypothesis = hypothesis_from_text(GetParam());
  Rng rng(7);
  Told told(device, hypothesis);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 12; ++i) {
      Kernel kernel;
      kernel.blocks = uniform(rng, 1, 300);
      kernel.threads = 32 * uniform(rng, 1, 16);
      kernel.registers = 8 * uniform(rng, 2, 8);
      kernel.shared = 1024 * uniform(rng, 0, 40);
      if (i % 3 == 0) kernel.stream = fmt::format("s{}", i % 2);
      told.launch(kernel);
      for (int n = uniform(rng, 0, 20); n > 0; --n) told.release_any(rng);
    }
    told.release_all();
  }
  EXPECT_EQ(sorted(told.steps()), starts_of(predict(device, hypothesis, told.probe())));
}

INSTANTIATE_TEST_SUITE_P(Models, GpuOf,
                         testing::Values("algorithm-1", "rtx3090-as-recorded", "gpgpu-sim",
                                         "simtbs", "dispatch_batch=pair,pairs_in_flight=two",
                                         "selection=fewest_warps,pointer_reset=never"));

TEST(Gpu, RefusesWhatTheDeviceCannotLaunch) {
  const Device device = find_device("rtx3090");
  Gpu gpu(device, {}, SingleReading(device, {}).sm_ranks());
  const Kernel legal{.name = "k", .blocks = 1, .threads = 32, .registers = 32};
  const auto refusal = [&](int Kernel::*field, int value) {
    Kernel kernel = legal;
    kernel.*field = value;
    try {
      gpu.launch(kernel);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal(&Kernel::registers, 0), "kernel k: registers: 0 is below 1");
  EXPECT_EQ(refusal(&Kernel::threads, 4096), "kernel k: threads: 4096 is over the device's 1024");
  EXPECT_EQ(refusal(&Kernel::blocks, 0), "kernel k: blocks: 0 is below 1");
  EXPECT_EQ(refusal(&Kernel::shared, -1), "kernel k: shared: -1 is below 0");
  EXPECT_TRUE(gpu.idle());
  EXPECT_EQ(gpu.launch(legal), 0);  // as if they had never come
}

TEST(Gpu, ReleasesOfWhatIsNotThereDoNothing) {
  const Device device = find_device("rtx3090");
  Gpu gpu(device, {}, SingleReading(device, {}).sm_ranks());
  Kernel kernel;
  kernel.blocks = 1;
  kernel.threads = 32;
  kernel.registers = 32;
  const int first = gpu.launch(kernel);
  ASSERT_EQ(gpu.started().size(), 1u);
  gpu.release({{first, {0}}});
  EXPECT_TRUE(gpu.idle());
  const int second = gpu.launch(kernel);  // the first is forgotten now
  EXPECT_EQ(second, first + 1);
  gpu.release({{first, {}}});
  EXPECT_FALSE(gpu.idle());
  gpu.release({{second, {-1}}});
  EXPECT_FALSE(gpu.idle());
  gpu.release({{second, {0}}, {first, {0}}});
  gpu.release({{second, {0}}});
  EXPECT_TRUE(gpu.idle());
  EXPECT_TRUE(gpu.started().empty());
  EXPECT_THROW(gpu.release({{second + 1, {}}}), std::invalid_argument);  // never launched
  EXPECT_THROW(gpu.release({{-1, {0}}}), std::invalid_argument);
}

}  // namespace
}  // namespace cuvier
