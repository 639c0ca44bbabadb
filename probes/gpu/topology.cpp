#include "probes/gpu/topology.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "probes/gpu/clusters.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/sm_groups.h"

namespace cuvier::gpu {
namespace {

constexpr int stable_rounds = 100;  // without a new connection: the partition is found
constexpr std::chrono::seconds longest_search{3};

/// Whether clusters of this size are launched: a driver may promise one and then refuse it.
bool serves(Clusters& clusters, int size) {
  if (clusters.most_active(size) == 0) return false;
  try {
    clusters.launch(size, 1);
    return true;
  } catch (const Failure& failure) {
    if (failure.code() == FailureCode::device_lost) throw;
    return false;
  }
}

/// Where the driver says that more clusters run at once than the GPCs have SMs for, or fewer.
std::string contradiction(Clusters& clusters, const std::vector<int>& sizes,
                          const std::vector<int>& gpc_of_sm) {
  for (const int size : sizes) {
    std::map<int, int> sms;
    for (const int gpc : gpc_of_sm) ++sms[gpc];
    int fit = 0;
    for (const auto& [gpc, count] : sms) fit += count / size;
    const int said = clusters.most_active(size);
    if (said == fit) continue;
    return "; but the driver runs " + std::to_string(said) + " clusters of " +
           std::to_string(size) + " at once, and these groups have SMs for " + std::to_string(fit);
  }
  return "";
}

/// Clusters of every size, over and over, until nothing new connects; clusters of two also
/// show who is whose mate.
void ask_clusters(const Device& device, Topology& topology) {
  Clusters clusters(device);
  std::vector<int> sizes;
  for (int size = 2; size <= 16; ++size) {
    if (serves(clusters, size)) sizes.push_back(size);
  }
  if (sizes.empty()) return;
  SmGroups gpcs(device.sms);
  std::vector<std::set<int>> mates(device.sms);
  const Clock::time_point deadline = Clock::now() + longest_search;
  int rounds = 0;
  int quiet_rounds = 0;
  for (; quiet_rounds < stable_rounds && Clock::now() < deadline; ++rounds) {
    const int before = gpcs.count();
    for (const int size : sizes) {
      // A different number of clusters each time, so that they do not always fall alike. Never
      // more than run at once: a second wave takes SMs as they become free, and clusters of two
      // straddle TPCs.
      const int count = 1 + rounds * 7 % clusters.most_active(size);
      for (const std::vector<int>& cluster : clusters.launch(size, count)) {
        for (const int sm : cluster) gpcs.join(cluster[0], sm);
        if (size != 2 || cluster[0] == cluster[1]) continue;
        mates[cluster[0]].insert(cluster[1]);
        mates[cluster[1]].insert(cluster[0]);
      }
    }
    quiet_rounds = gpcs.count() == before ? quiet_rounds + 1 : 0;
  }
  const std::string asked = std::to_string(rounds) + " rounds of clusters of " +
                            std::to_string(sizes.front()) + " to " + std::to_string(sizes.back());
  if (quiet_rounds < stable_rounds) {
    topology.gpc_evidence = "none: still changing after " + asked;
  } else if (gpcs.count() == device.sms) {
    topology.gpc_evidence = "none: no cluster spanned two SMs in " + asked;
  } else {
    topology.gpc_of_sm = gpcs.group_of_sm();
    topology.gpc_evidence = std::to_string(gpcs.count()) + " groups, stable over the last " +
                            std::to_string(stable_rounds) + " of " + asked +
                            contradiction(clusters, sizes, topology.gpc_of_sm);
    for (const int size : sizes) {
      if (std::has_single_bit(static_cast<unsigned>(size))) topology.max_cluster = size;
    }
  }
  if (std::ranges::all_of(mates, [](const std::set<int>& of) { return of.size() == 1; })) {
    SmGroups tpcs(device.sms);
    for (int sm = 0; sm < device.sms; ++sm) tpcs.join(sm, *mates[sm].begin());
    topology.tpc_of_sm = tpcs.group_of_sm();
    topology.tpc_evidence = "a cluster of two always has the same two SMs, in " + asked;
  } else {
    topology.tpc_evidence = "clusters of two do not always have the same two SMs";
  }
}

}  // namespace

Topology find_topology(CudaDevice& device, const Patience& patience) {
  Topology topology;
  const Device& facts = device.facts();
  if (launches_clusters(facts)) {
    try {
      ask_clusters(facts, topology);
    } catch (const Failure& failure) {
      if (failure.code() == FailureCode::device_lost) throw;
      topology.gpc_evidence = std::string("none: ") + failure.what();
    }
  } else {
    topology.gpc_evidence = "none: no clusters before sm_90";
  }
  if (topology.tpc_of_sm.empty()) {
    const std::string before = topology.tpc_evidence.empty() ? "" : topology.tpc_evidence + "; ";
    topology.tpc_of_sm = tpcs_by_carve_out(device, patience);
    topology.tpc_evidence =
        before + (topology.tpc_of_sm.empty()
                      ? "carve-out conflicts show no pairs"
                      : "carve-out conflicts: the SMs that one small block bars");
  }
  return topology;
}

}  // namespace cuvier::gpu
