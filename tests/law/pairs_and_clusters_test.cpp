// What is proved of pairs where clusters that share SMs are tried between their two blocks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solver/proof/equivalence.h"
#include "tests/law/planted.h"
#include "tests/law/wide_probes.h"

namespace cuvier {
namespace {

Hypothesis paired(Hypothesis h) {
  h.set<DispatchBatch>(DispatchBatch::pair);
  h.set<BatchMargin>(BatchMargin::Value{1});  // 0: while more than 2 * SMs are left
  return h;
}

Classes classes_of(const Device& device, const Hypothesis& single) {
  return classify(device, {single, paired(single)}, {}, {}, 2);
}

bool are_alike(const Device& device, const Hypothesis& single) {
  return classes_of(device, single).classes.size() == 1;
}

/// A cluster waits on a full device, with a large grid behind it, until some SMs are idle.
Probe waiting_cluster(const Device& device, Rng& rng) {
  Kernel plug = samples::kernel("plug", device.sms, 32);
  plug.shared = device.max_shared_per_block;
  Kernel cluster = wide_kernel(device, 1, rng);
  cluster.cluster = device.largest_cluster();
  cluster.blocks = *cluster.cluster * uniform(rng, 1, 2);
  Kernel grid = wide_kernel(device, 2, rng);
  grid.cluster.reset();
  grid.blocks = uniform(rng, 2, 6) * device.sms;
  for (Kernel* k : {&cluster, &grid}) {
    k->local = 0;
    k->stream.reset();
    k->priority = 0;
  }
  Probe probe{"waiting cluster", {plug, cluster, grid}, {{0, {}}, {1, {}}, {2, {}}}};
  for (int i = 0; i < 3; ++i) {
    const Kernel& kernel = probe.kernels[i == 2 ? 2 : 0];
    probe.script.push_back({{}, {wide_release(kernel, i == 2 ? 2 : 0, rng)}});
  }
  return probe;
}

/// Whether any of so many random probes tells the two apart.
bool is_seen(const Device& device, const Hypothesis& a, const Hypothesis& b, int probes, Rng& rng) {
  for (int i = 0; i < probes; ++i) {
    const Probe probe = waiting_cluster(device, rng);
    Simulator one(device, a);
    Simulator other(device, b);
    if (placements(one, probe) != placements(other, probe)) return true;
  }
  return false;
}

constexpr const char* kShared =
    "selection=first_fit,cluster_wait=passed,cluster_sharing=shared,warp_placement=";

TEST(PairsAndClusters, AreAlikeWhereNoMoreBlocksOfAClusterFit) {
  const Device device = clustered_device(8);
  for (const char* more :
       {"fixed_start", "strict_round_robin,pointer_skip=restart", "skip_full", "least_loaded",
        "least_loaded,register_pool=per_sm,config_scope=none",
        "skip_full,register_layout=contiguous,config_occupancy=ignore_registers,config_scope=sm",
        "fixed_start,register_layout=contiguous,register_pool=per_sm,config_rounding=largest",
        "skip_full,config_occupancy=single_block,config_rounding=exact",
        "least_loaded,config_occupancy=single_block,config_scope=device,config_gate=space_only"}) {
    const Classes result = classes_of(device, hypothesis_from_text(kShared + std::string(more)));
    EXPECT_EQ(result.classes.size(), 1u) << more;
    for (const Lemma& lemma : result.proof ? result.proof->lemmas : std::vector<Lemma>{}) {
      if (lemma.assumed.empty()) continue;
      EXPECT_NE(ask_z3(lemma.assumed).kind, SmtAnswer::Kind::unsat) << more << ": " << lemma.name;
    }
  }
}

/// The pointer moves between the two; registers are pooled, and configurations made for fewer
/// blocks than that; a configuration that another kernel brought holds more.
TEST(PairsAndClusters, AreNotClaimedToBeAlikeWhereMoreMayFit) {
  const Device device = clustered_device(8);
  for (const char* more :
       {"strict_round_robin", "strict_round_robin,pointer_skip=none",
        "skip_full,register_pool=per_sm", "skip_full,config_occupancy=bytes > 20480 ? 1 : 4"}) {
    EXPECT_FALSE(are_alike(device, hypothesis_from_text(kShared + std::string(more)))) << more;
  }
}

TEST(PairsAndClusters, PartWhereAnotherKernelConfiguredATpcForMore) {
  const Device device = clustered_device(8);
  const Hypothesis single = hypothesis_from_text(
      std::string(kShared) + "skip_full,config_occupancy=bytes > 20480 ? 1 : 4");
  Probe probe{"parting",
              {samples::kernel("plug", 8, 32), samples::kernel("cluster", 4, 32),
               samples::kernel("grid", 40, 32)},
              {{0, {}}, {1, {}}, {2, {}}, {{}, {{0, {1, 5}}}}}};
  probe.kernels[0].shared = device.max_shared_per_block;
  probe.kernels[1].shared = 21 * 1024;
  probe.kernels[1].cluster = 4;
  probe.kernels[2].shared = 19 * 1024;
  Simulator one(device, single);
  Simulator other(device, paired(single));
  EXPECT_NE(placements(one, probe), placements(other, probe));
}

/// Of random hypotheses whose pairs stay together, those that are proved alike show the same.
TEST(PairsAndClusters, ThatAreAlikeShowTheSame) {
  const Device device = clustered_device(8);
  Rng rng(32);
  int alike = 0;
  int parting = 0;
  for (int i = 0; i < 30; ++i) {
    Hypothesis single = random_named(device, rng);
    single.set<Selection>(pick_from(
        rng, std::vector{Selection::first_fit, Selection::next_fit, Selection::most_warps}));
    single.set<Hierarchy>(Hierarchy::flat);
    single.set<DispatchBatch>(DispatchBatch::single);
    single.set<ClusterSharing>(ClusterSharing::shared);
    single.set<ClusterWait>(ClusterWait::passed);
    if (are_alike(device, single)) {
      ++alike;
      EXPECT_FALSE(is_seen(device, single, paired(single), 100, rng)) << describe(single);
    } else {
      parting += is_seen(device, single, paired(single), 150, rng);
    }
  }
  EXPECT_GT(alike, 5);
  EXPECT_GT(parting, 2) << "the probes show nothing";
}

}  // namespace
}  // namespace cuvier
