#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "probes/family.h"
#include "probes/probe_json.h"

namespace cuvier {
namespace {

constexpr int kib = 1024;

Device device_of(const std::string& architecture, int sms, int blocks, int warps,
                 std::vector<int> configs_kib, int max_shared_kib) {
  Device device;
  device.name = architecture;
  device.architecture = architecture;
  device.sms = sms;
  device.max_blocks_per_sm = blocks;
  device.max_warps_per_sm = warps;
  for (int config : configs_kib) device.shared_configs.push_back(config * kib);
  device.max_shared_per_block = max_shared_kib * kib;
  return device;
}

/// GPCs of different size.
Device with_clusters(Device device) {
  for (int sm = 0; sm < device.sms; ++sm) device.gpc_of_sm.push_back(sm / 2 % 3 == 1 ? 1 : 0);
  device.max_cluster = 16;
  return device;
}

std::vector<Device> devices() {
  return {
      device_of("sm_86", 1, 16, 48, {8, 16, 32, 64, 100}, 99),  // reduced, as for the solver
      device_of("sm_86", 2, 16, 48, {8, 16, 32, 64, 100}, 99),
      device_of("sm_86", 8, 16, 48, {8, 16, 32, 64, 100}, 99),
      device_of("sm_75", 40, 16, 32, {32, 64}, 64),
      device_of("sm_70", 80, 32, 64, {0, 8, 16, 32, 64, 96}, 96),
      device_of("sm_86", 82, 16, 48, {8, 16, 32, 64, 100}, 99),
      device_of("sm_90", 132, 32, 64, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 227),
      device_of("sm_100", 148, 32, 64, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 227),
      with_clusters(device_of("sm_90", 2, 32, 64, {0, 8, 228}, 227)),
      with_clusters(device_of("sm_90", 132, 32, 64, {0, 8, 228}, 227)),
  };
}

Device small_device() { return device_of("sm_86", 8, 16, 48, {8, 16, 32, 64, 100}, 99); }

std::vector<ProbeFamily> all_families() {
  return all_probe_families(with_clusters(small_device()));
}

int total_blocks(const Probe& probe) {
  int total = 0;
  for (const Kernel& kernel : probe.kernels) total += kernel.blocks;
  return total;
}

// Legal, and what a reader of the protocol accepts; a Probe can be wrong in
// more ways than its JSON, so those are looked at first.
void expect_sound(const Probe& probe, const Device& device) {
  std::set<int> launched;
  for (const Action& action : probe.script) {
    if (action.launch) {
      EXPECT_TRUE(action.releases.empty());
      ASSERT_LT(*action.launch, static_cast<int>(probe.kernels.size()));
      EXPECT_TRUE(launched.insert(*action.launch).second) << "launched twice";
      continue;
    }
    EXPECT_FALSE(action.releases.empty());
    for (const Release& release : action.releases) {
      EXPECT_TRUE(launched.contains(release.kernel)) << "released before its launch";
      EXPECT_TRUE(std::is_sorted(release.blocks.begin(), release.blocks.end()));
    }
  }
  EXPECT_FALSE(probe.kernels.empty());
  EXPECT_EQ(launched.size(), probe.kernels.size()) << "a kernel that is never launched";
  for (const Kernel& kernel : probe.kernels) EXPECT_TRUE(is_legal(kernel, device)) << kernel.name;
  ASSERT_NO_THROW({
    EXPECT_EQ(probe_from_json(to_json(probe), "a draw"), probe);
    validate(probe, device, "a draw");
  }) << to_json(probe);
}

constexpr int draws = 200;

class Families : public testing::TestWithParam<ProbeFamily> {};

TEST_P(Families, are_legal_and_well_formed) {
  for (const Device& device : devices()) {
    SCOPED_TRACE(device.name);
    Rng rng(1);
    for (int i = 0; i < draws && !HasFailure(); ++i) {
      expect_sound(GetParam().draw(device, rng), device);
    }
  }
}

TEST_P(Families, are_small) {
  for (const Device& device : devices()) {
    Rng rng(2);
    double sum = 0;
    for (int i = 0; i < draws; ++i) {
      const Probe probe = GetParam().draw(device, rng);
      // Eight blocks per SM, part of a layer beyond, and readers; waves are of more.
      const int most_per_sm = GetParam().name == "waves" ? 80 : 10;
      EXPECT_LE(total_blocks(probe), most_per_sm * device.sms + 128) << to_json(probe);
      EXPECT_LE(probe.kernels.size(), device.max_resident_kernels + 2u);
      sum += total_blocks(probe);
    }
    const int mean_per_sm = GetParam().name == "waves" ? 20 : 4;
    EXPECT_LE(sum / draws, mean_per_sm * device.sms + 64) << device.name;
  }
}

TEST_P(Families, repeat_with_their_seed_and_vary_without) {
  const Device device = small_device();
  Rng one(3);
  Rng same(3);
  std::set<std::string> different;
  for (int i = 0; i < draws; ++i) {
    const Probe probe = GetParam().draw(device, one);
    EXPECT_EQ(probe, GetParam().draw(device, same));
    different.insert(to_json(probe).dump());
  }
  EXPECT_GT(different.size(), draws / 2u);
}

TEST_P(Families, draw_probes_named_after_them) {
  Rng rng(4);
  EXPECT_EQ(GetParam().draw(small_device(), rng).name, GetParam().name);
}

TEST_P(Families, mutate_into_sound_neighbours) {
  for (const Device& device : devices()) {
    SCOPED_TRACE(device.name);
    Rng rng(5);
    for (int chain = 0; chain < 5 && !HasFailure(); ++chain) {
      Probe probe = GetParam().draw(device, rng);
      const int most_blocks = std::max(8 * device.sms, total_blocks(probe));
      const std::size_t most_actions = std::max<std::size_t>(24, probe.script.size());
      for (int i = 0; i < 30 && !HasFailure(); ++i) {
        const Probe changed = mutate(probe, device, rng);
        expect_sound(changed, device);
        EXPECT_NE(changed, probe);
        EXPECT_LE(total_blocks(changed), most_blocks);
        EXPECT_LE(changed.script.size(), most_actions);
        probe = changed;
      }
    }
  }
}

TEST_P(Families, mutate_the_same_way_with_the_same_seed) {
  const Device device = small_device();
  Rng one(6);
  Rng same(6);
  for (int i = 0; i < draws; ++i) {
    const Probe probe = mutate(GetParam().draw(device, one), device, one);
    EXPECT_EQ(probe, mutate(GetParam().draw(device, same), device, same));
  }
}

INSTANTIATE_TEST_SUITE_P(all, Families, testing::ValuesIn(all_families()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(ProbeFamilies, that_confirm_are_all_in_the_page_about_the_loop) {
  std::ifstream page(std::string(CUVIER_SOURCE_DIR) + "/docs/design/loop.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const ProbeFamily& family : confirming_families(with_clusters(small_device()))) {
    EXPECT_NE(text.find("| `" + std::string(family.name) + "` |"), std::string::npos)
        << family.name;
  }
}

TEST(ProbeFamilies, are_without_clusters_where_the_device_has_none) {
  EXPECT_EQ(all_probe_families(small_device()).size() + 2, all_families().size());
  Rng rng(1);
  for (const ProbeFamily& family : all_families()) {
    for (int i = 0; i < draws; ++i) {
      const Probe probe = mutate(family.draw(small_device(), rng), small_device(), rng);
      for (const Kernel& kernel : probe.kernels) EXPECT_FALSE(kernel.cluster) << family.name;
    }
  }
}

TEST(ProbeFamilies, have_names_of_their_own_and_say_what_they_tell_apart) {
  std::set<std::string_view> names;
  for (const ProbeFamily& family : all_families()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_FALSE(family.meaning.empty()) << family.name;
  }
  EXPECT_GE(names.size(), 11u);
}

TEST(Uniform, reaches_both_ends_and_nothing_else) {
  Rng rng(7);
  std::set<int> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(uniform(rng, -2, 3));
  EXPECT_EQ(seen, (std::set<int>{-2, -1, 0, 1, 2, 3}));
}

// The stream is part of what a seed means: the same on every machine.
TEST(Uniform, draws_the_standard_engine_modulo_the_range) {
  Rng rng(5489);
  Rng engine(5489);
  EXPECT_EQ(uniform(rng, 10, 109), static_cast<int>(10 + engine() % 100));
}

TEST(Mutate, leaves_one_launch_at_least) {
  const Device device = small_device();
  Probe probe;
  probe.name = "one";
  Kernel& kernel = probe.kernels.emplace_back();
  kernel.name = "k1";
  kernel.blocks = 1;
  kernel.threads = kernel.registers = 32;
  probe.script.emplace_back().launch = 0;
  Rng rng(8);
  for (int i = 0; i < draws; ++i) expect_sound(mutate(probe, device, rng), device);
}

TEST(Mutate, takes_a_step_that_only_settles) {
  const Device device = small_device();
  Kernel kernel{.name = "k1", .blocks = 4, .threads = 32, .registers = 32};
  const Probe probe{"settles", {kernel}, {{0, {}}, {}, {{}, {{0, {1}}}}}};
  Rng rng(9);
  for (int i = 0; i < draws; ++i) expect_sound(mutate(probe, device, rng), device);
}

/// Not only powers of two: CUDA launches any.
TEST(ProbeFamilies, launch_clusters_of_any_size) {
  const Device device = with_clusters(device_of("sm_90", 132, 32, 64, {0, 8, 228}, 227));
  const std::vector<ProbeFamily> families = all_probe_families(device);
  const auto of_clusters = std::ranges::find(families, "clusters", &ProbeFamily::name);
  ASSERT_NE(of_clusters, families.end());
  Rng rng(1);
  std::set<int> sizes;
  for (int i = 0; i < draws; ++i) {
    for (const Kernel& kernel : of_clusters->draw(device, rng).kernels) {
      if (kernel.cluster) sizes.insert(*kernel.cluster);
    }
  }
  for (int size = 1; size <= device.largest_cluster(); ++size) EXPECT_TRUE(sizes.contains(size));
}

}  // namespace
}  // namespace cuvier
