// Waves, against a probe that releases each of them.

#include "uses/waves.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "hypotheses/devices.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// How many blocks there are in each wave where all that are there leave at once.
std::vector<int> as_predicted(const Device& device, const Hypothesis& hypothesis,
                              const Kernel& kernel) {
  Probe probe{"waves", {kernel}, {{0, {}}}};
  for (int block = 1; block < kernel.blocks; ++block) probe.script.push_back({{}, {{0, {}}}});
  std::vector<int> waves;
  for (const Step& step : predict(device, hypothesis, probe).steps) {
    for (const Started& started : step.started) {
      waves.push_back(static_cast<int>(started.sm.size()));
    }
  }
  return waves;
}

TEST(WavesLaw, AreWhatIsThereOnceAllBeforeHaveLeft) {
  Rng rng(11);
  int several = 0;
  for (int point = 0; point < 500; ++point) {
    const Device device = clustered_device(uniform(rng, 2, 8));
    const Hypothesis hypothesis = random_hypothesis(device, rng);
    Kernel kernel = samples::kernel("k", uniform(rng, 1, 60), 32 * uniform(rng, 1, 32));
    kernel.shared = 1024 * uniform(rng, 0, 60);
    if (uniform(rng, 0, 3) == 0) {
      kernel.cluster = 1 << uniform(rng, 0, 2);
      kernel.blocks = (kernel.blocks + 3) / 4 * 4;
    }
    if (!is_legal(kernel, device)) continue;
    const Waves waves = cuvier::waves(device, hypothesis, kernel).given;
    const std::vector<int> seen = as_predicted(device, hypothesis, kernel);
    EXPECT_EQ(waves.count(), std::ssize(seen)) << describe(hypothesis);
    if (seen.empty()) continue;
    EXPECT_EQ(waves.in_last(), seen.back()) << describe(hypothesis);
    several += seen.size() > 2;
  }
  EXPECT_GT(several, 100);
}

class WavesOfH100 : public ::testing::Test {
 protected:
  static Kernel gemm(int blocks, std::optional<int> cluster = {}) {
    Kernel kernel = samples::kernel("gemm", blocks, 384);
    kernel.registers = 168;
    kernel.shared = 200 * 1024;
    kernel.cluster = cluster;
    return kernel;
  }

  const Device device_ = find_device("h100");
};

TEST_F(WavesOfH100, AGridOfAllSmsTakesTwoBesideOneBlockOfAnother) {
  EXPECT_EQ(waves(device_, {}, gemm(132)).given.count(), 1);
  Hypothesis hypothesis;
  hypothesis.set<ConfigRounding>(ConfigRounding::largest);
  Kernel comm = samples::kernel("comm", 20, 512);
  comm.registers = 128;  // an SM has none left
  const Waves beside = waves(device_, hypothesis, gemm(132), {{comm}, {}}).given;
  EXPECT_EQ(beside.at_once, 112);
  EXPECT_EQ(beside.count(), 2);
  EXPECT_EQ(beside.in_last(), 20);
  EXPECT_EQ(waves(device_, hypothesis, gemm(132), {{}, {20, {}}}).given.at_once, 112);
}

/// 15 clusters of 8 find a place, and 16 of them take a second wave.
TEST_F(WavesOfH100, SmallerClustersSaveTheLastOne) {
  const KernelWaves found = waves(device_, {}, gemm(128, 8));
  EXPECT_EQ(found.given.at_once, 120);
  EXPECT_EQ(found.given.in_last(), 8);
  std::vector<std::optional<int>> clusters;
  for (const Waves& fewer : found.fewer) {
    EXPECT_EQ(fewer.count(), 1);
    clusters.push_back(fewer.kernel.cluster);
  }
  EXPECT_THAT(clusters, ElementsAre(std::nullopt, 2));  // of 4, 30 find a place
}

/// 1,024 threads leave half of the 1,536 of an SM unused.
TEST(WavesOfRtx3090, OtherBlocksSaveSome) {
  const Device device = find_device("rtx3090");
  const KernelWaves found = waves(device, {}, samples::kernel("k", 123, 1024));
  EXPECT_EQ(found.given.count(), 2);
  ASSERT_EQ(found.fewer.size(), 1u);
  EXPECT_EQ(found.fewer[0].kernel.threads, 768);  // two of them fill an SM
  EXPECT_EQ(found.fewer[0].kernel.blocks, 164);
  EXPECT_EQ(found.fewer[0].count(), 1);
}

TEST(WavesOfRtx3090, WithoutAPlaceThereAreNone) {
  const Device device = find_device("rtx3090");
  Kernel all = samples::kernel("all", 82, 1024);
  all.registers = 64;
  Kernel resident = all;
  resident.name = "resident";
  const KernelWaves found = waves(device, {}, all, {{resident}, {}});
  EXPECT_EQ(found.given.at_once, 0);
  EXPECT_EQ(found.given.count(), 0);
  EXPECT_THAT(found.fewer, IsEmpty());
  resident.blocks = 83;
  EXPECT_EQ(samples::message_of([&] {
              waves(device, {}, all, {{resident}, {}});
            }),
            "resident: " + device.name + " has no place for all of these blocks; list fewer");
}

}  // namespace
}  // namespace cuvier
