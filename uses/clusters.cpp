#include "uses/clusters.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <numeric>
#include <set>

#include "hypotheses/scheduler/groups.h"
#include "hypotheses/simulator.h"
#include "probes/an_error.h"
#include "probes/mapped.h"

namespace cuvier {
namespace {

/// The SM of each block, as many as find a place.
std::vector<int> sms_of_all(const Device& device, const Hypothesis& hypothesis,
                            const Kernel& kernel) {
  const Probe probe{"clusters", {kernel}, {{0, {}}}};
  const Observation seen = predict(device, hypothesis, probe);
  std::vector<int> sms;
  for (const Started& started : seen.steps[0].started) {
    sms.insert(sms.end(), started.sm.begin(), started.sm.end());
  }
  return sms;
}

/// How many blocks each place of a GPC takes, of which no cluster has two in one.
std::vector<int> places_in(const std::vector<int>& gpc, const Device& device, int blocks_per_sm,
                           ClusterSharing::Value sharing) {
  if (sharing != ClusterSharing::tpc_apart) return std::vector<int>(gpc.size(), blocks_per_sm);
  return mapped(grouped(gpc, [&](int sm) { return device.tpc_of(sm); }),
                [&](const auto& sms) { return blocks_per_sm * static_cast<int>(sms.size()); });
}

/// A least number of clusters that leave no room for another on a GPC, of blocks that take whole
/// TPCs: then no more TPCs are whole than suffice for all but a block. Each of the others has an SM
/// that is full, and a cluster is on no more TPCs than it takes whole, and single blocks.
int least_on_whole_tpcs(const std::vector<int>& gpc, const Device& device, int blocks_per_sm,
                        int blocks) {
  const auto tpcs = grouped(gpc, [&](int sm) { return device.tpc_of(sm); });
  const int whole = largest_tpc(device);
  const auto is_whole = [&](const auto& sms) { return std::ssize(sms) == whole; };
  const auto all = static_cast<int>(std::ranges::count_if(tpcs, is_whole));
  const int full = all - (blocks - 1) / whole;
  if (full <= 0) return 0;
  const int on_tpcs = blocks / whole + blocks % whole;
  return std::max(blocks_per_sm, (full * blocks_per_sm + on_tpcs - 1) / on_tpcs);
}

}  // namespace

int most_clusters(const std::vector<int>& places, int blocks) {
  // So many clusters have room if their blocks do, none counted twice on one place.
  const auto has_room_for = [&](int clusters) {
    int room = 0;
    for (const int place : places) room += std::min(place, clusters);
    return room >= clusters * blocks;
  };
  int most = 0;
  while (has_room_for(most + 1)) ++most;
  return most;
}

int least_clusters(std::vector<int> places, int blocks) {
  if (std::ssize(places) < blocks) return 0;
  // All are full but one fewer than a cluster needs, the largest; these may hold what is over.
  std::ranges::sort(places, std::greater());
  const auto full = places.begin() + blocks - 1;
  const int needed = std::accumulate(full, places.end(), 0);
  for (int clusters = *full;; ++clusters) {
    int room = needed;
    for (auto place = places.begin(); place != full; ++place) room += std::min(*place, clusters);
    if (clusters * blocks >= needed && clusters * blocks <= room) return clusters;
  }
}

int ClusterFit::under_model() const { return std::accumulate(in_gpc.begin(), in_gpc.end(), 0); }

ClusterFits cluster_fits(const Device& device, const Hypothesis& hypothesis, Kernel kernel) {
  if (device.largest_cluster() == 0) {
    throw an_error("{}: {}", device.name,
                   device.max_cluster == 0 ? "it launches no clusters"
                                           : "which SMs share a GPC is not known; give "
                                             "gpc_of_sm in its file");
  }
  ClusterFits fits{kernel.name, 0, gpcs_of(device), {}};
  kernel.cluster.reset();
  kernel.blocks = device.sms * device.max_blocks_per_sm;
  const std::vector<int> alone = sms_of_all(device, hypothesis, kernel);
  fits.blocks_per_sm = static_cast<int>(std::ranges::count(alone, 0));
  const bool by_passes = hypothesis.get<ClusterGpc>() == ClusterGpc::pass_by_pass;
  const bool of_whole_tpcs = by_passes && fits.blocks_per_sm > 1;
  if (hypothesis.get<ClusterLimit>() == ClusterLimit::eight) {
    fits.blocks_per_sm = std::min(fits.blocks_per_sm, ClusterLimit::most);
  }
  const ClusterSharing::Value sharing =
      by_passes ? ClusterSharing::apart : hypothesis.get<ClusterSharing>();
  for (int blocks = 1; blocks <= device.largest_cluster(); ++blocks) {
    kernel.cluster = blocks;
    kernel.blocks = device.sms * device.max_blocks_per_sm / blocks * blocks;
    const std::vector<int> sms = sms_of_all(device, hypothesis, kernel);
    ClusterFit& fit = fits.sizes.emplace_back(ClusterFit{blocks, 0, 0, {}, {}});
    for (const std::vector<int>& gpc : fits.gpcs) {
      const auto is_here = [&](int sm) { return std::ranges::count(gpc, sm) > 0; };
      fit.in_gpc.push_back(static_cast<int>(std::ranges::count_if(sms, is_here)) / blocks);
      if (sharing == ClusterSharing::shared) {  // whoever goes where, what is free can be used
        const int clusters = static_cast<int>(gpc.size()) * fits.blocks_per_sm / blocks;
        fit.least += clusters;
        fit.most += clusters;
        continue;
      }
      const std::vector<int> places = places_in(gpc, device, fits.blocks_per_sm, sharing);
      fit.least += of_whole_tpcs && blocks > 1
                       ? least_on_whole_tpcs(gpc, device, fits.blocks_per_sm, blocks)
                       : least_clusters(places, blocks);
      fit.most += most_clusters(places, blocks);
    }
    const std::set<int> busy(sms.begin(), sms.end());
    for (int sm = 0; sm < device.sms; ++sm) {
      if (!busy.contains(sm)) fit.idle_sms.push_back(sm);
    }
  }
  return fits;
}

std::vector<OnDies> on_dies(const std::vector<ClusterFits>& dies) {
  std::size_t sizes = dies.front().sizes.size();
  for (const ClusterFits& die : dies) sizes = std::min(sizes, die.sizes.size());
  std::vector<OnDies> found;
  for (std::size_t i = 0; i < sizes; ++i) {
    OnDies size{dies.front().sizes[i].blocks, INT_MAX, 0};
    for (const ClusterFits& die : dies) {
      size.least = std::min(size.least, die.sizes[i].under_model());
      size.most = std::max(size.most, die.sizes[i].under_model());
    }
    found.push_back(size);
  }
  return found;
}

void expect_die_of(const Device& product, const Device& die, const std::string& where) {
  Device alike = die;
  alike.name = product.name;
  alike.gpc_of_sm = product.gpc_of_sm;
  alike.tpc_of_sm = product.tpc_of_sm;
  if (alike == product) return;
  throw an_error("{}: is no die of {}: they differ in more than which SMs are together", where,
                 product.name);
}

Kernel filling_kernel(const Device& device) {
  Kernel kernel;
  kernel.name = "a block that fills an SM";
  kernel.threads = kThreadsPerWarp;
  kernel.registers = kFewestRegisters;
  kernel.shared = device.max_shared_per_block;
  return kernel;
}

}  // namespace cuvier
