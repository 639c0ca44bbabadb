// What a simulated device does, told with times as another tool would, is imported as it was.

#include <gtest/gtest.h>

#include "corpus/imports/imports.h"
#include "probes/exact_steps.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

/// Without releases at the end that let nothing in, and with the blocks that leave by number.
Probe as_told(Probe probe, const Observation& seen) {
  std::vector<std::vector<int>> resident(probe.kernels.size());
  for (std::size_t s = 0; s < probe.script.size(); ++s) {
    for (Release& release : probe.script[s].releases) {
      if (release.blocks.empty()) release.blocks = resident[release.kernel];
      std::ranges::sort(release.blocks);
      std::erase_if(resident[release.kernel],
                    [&](int b) { return std::ranges::binary_search(release.blocks, b); });
    }
    std::ranges::sort(probe.script[s].releases, {}, &Release::kernel);
    for (const Started& started : seen.steps[s].started) {
      std::ranges::copy(started.block, std::back_inserter(resident[started.kernel]));
    }
  }
  while (!probe.script.back().launch && seen.steps[probe.script.size() - 1].started.empty()) {
    probe.script.pop_back();
  }
  return probe;
}

/// A launch or a release of blocks, one of some kernel that are resident, a millisecond apart.
TEST(Import, OfATimedRunIsTheRun) {
  const Device device = small_device(4);
  Rng rng(1);
  int waited = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Probe probe{"timed", {}, {}};
    for (int k = uniform(rng, 1, 4); k > 0; --k) {
      probe.kernels.push_back(
          {fmt::format("k{}", k), uniform(rng, 1, 20), 64 * uniform(rng, 1, 12), 32, 0, 0, 0, {}});
      probe.script.push_back({static_cast<int>(probe.kernels.size()) - 1, {}});
    }
    for (int more = uniform(rng, 0, 5); more > 0; --more) {
      Simulator simulator(device, {});
      const Observation seen = simulator.run(probe);
      std::vector<std::pair<int, int>> resident;
      for (const Step& step : seen.steps) {
        for (const Started& started : step.started) {
          for (const int block : started.block) resident.emplace_back(started.kernel, block);
        }
      }
      for (const Action& action : probe.script) {
        for (const Release& release : action.releases) {
          for (const int block : release.blocks) {
            std::erase(resident, std::pair(release.kernel, block));
          }
        }
      }
      if (resident.empty()) break;
      const auto [kernel, block] = resident[uniform(rng, 0, static_cast<int>(resident.size()) - 1)];
      probe.script.push_back({std::nullopt, {{kernel, {block}}}});
    }
    const Observation seen = Simulator(device, {}).run(probe);
    std::vector<TimedKernel> kernels;
    for (const Kernel& kernel : probe.kernels) {
      kernels.push_back({kernel, 0, 0, std::vector<TimedBlock>(kernel.blocks, {0, 100, 101})});
    }
    std::size_t started_blocks = 0;
    std::size_t all = 0;
    for (std::size_t s = 0; s < probe.script.size(); ++s) {
      const double now = 1 + 0.001 * static_cast<double>(s);
      if (const auto k = probe.script[s].launch) {
        kernels[*k].call = now;
        kernels[*k].returned = now + 10e-6;
        all += kernels[*k].blocks.size();
      }
      for (const Release& release : probe.script[s].releases) {
        for (const int block : release.blocks) kernels[release.kernel].blocks[block].end = now;
      }
      for (const Started& started : seen.steps[s].started) {
        started_blocks += started.block.size();
        for (std::size_t i = 0; i < started.block.size(); ++i) {
          TimedBlock& block = kernels[started.kernel].blocks[started.block[i]];
          block.sm = started.sm[i];
          block.start = now + 15e-6 + 1e-9 * static_cast<double>(i);
        }
      }
    }
    // A log tells of kernels that ran to their end.
    if (started_blocks < all) continue;
    waited += seen.steps.back().started.empty() ? 0 : 1;
    const Imported found = imported(kernels, "timed");
    Probe expected = as_told(probe, seen);
    EXPECT_EQ(found.recording.probe, expected) << to_json(probe).dump();
    EXPECT_EQ(found.recording.facts.size(), [&] {
      Observation told = without_channels(seen);
      told.steps.resize(expected.script.size());
      return facts_of(told, expected).size();
    }());
    for (const Fact& fact : found.recording.facts) {
      EXPECT_TRUE(agrees(fact, seen, probe)) << to_json(probe).dump();
    }
  }
  EXPECT_GT(waited, 5);
}

}  // namespace
}  // namespace cuvier
