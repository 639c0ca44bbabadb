#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "probes/gpu/clusters.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/modes.h"
#include "probes/gpu/sm_groups.h"

namespace cuvier::gpu {
namespace {

constexpr int stable_rounds = 100;  // without a new connection: the partition is found
constexpr std::chrono::seconds longest_search{3};

/// By size of cluster: how many run at once, as the driver says. Only those that are launched: it
/// may promise one and then refuse it.
std::map<int, int> most_active(Clusters& clusters) {
  std::map<int, int> most;
  for (int size = 2; size <= Device::kLargestCluster; ++size) {
    const int count = clusters.most_active(size);
    if (count == 0) continue;
    try {
      clusters.launch(size, 1);
      most[size] = count;
    } catch (const Failure& failure) {
      if (failure.code() == FailureCode::device_lost) throw;
    }
  }
  return most;
}

/// Where the driver says that more clusters run at once than the GPCs have SMs for, or fewer.
std::string contradiction(const std::map<int, int>& most, const std::vector<int>& gpc_of_sm) {
  std::map<int, int> sms;
  for (const int gpc : gpc_of_sm) ++sms[gpc];
  for (const auto& [size, said] : most) {
    int fit = 0;
    for (const auto& [gpc, count] : sms) fit += count / size;
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
  const std::map<int, int> most = most_active(clusters);
  if (most.empty()) return;
  SmGroups gpcs(device.sms);
  std::vector<std::set<int>> mates(device.sms);
  const Clock::time_point deadline = Clock::now() + longest_search;
  int rounds = 0;
  int quiet_rounds = 0;
  for (; quiet_rounds < stable_rounds && Clock::now() < deadline; ++rounds) {
    const int before = gpcs.count();
    for (const auto& [size, at_once] : most) {
      // A different number of clusters each time, so that they do not always fall alike. Never
      // more than run at once: a second wave takes SMs as they become free, and clusters of two
      // straddle TPCs.
      const int count = 1 + rounds * 7 % at_once;
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
                            std::to_string(most.begin()->first) + " to " +
                            std::to_string(most.rbegin()->first);
  if (quiet_rounds < stable_rounds) {
    topology.gpc_evidence = "none: still changing after " + asked;
  } else if (gpcs.count() == device.sms) {
    topology.gpc_evidence = "none: no cluster spanned two SMs in " + asked;
  } else {
    topology.device.gpc_of_sm = gpcs.group_of_sm();
    topology.gpc_evidence = std::to_string(gpcs.count()) + " groups, stable over the last " +
                            std::to_string(stable_rounds) + " of " + asked +
                            contradiction(most, topology.device.gpc_of_sm);
    topology.device.max_cluster = most.rbegin()->first;
  }
  if (std::ranges::all_of(mates, [](const std::set<int>& of) { return of.size() == 1; })) {
    SmGroups tpcs(device.sms);
    for (int sm = 0; sm < device.sms; ++sm) tpcs.join(sm, *mates[sm].begin());
    topology.device.tpc_of_sm = tpcs.group_of_sm();
    topology.tpc_evidence = "a cluster of two always has the same two SMs, in " + asked;
  } else {
    topology.tpc_evidence = "clusters of two do not always have the same two SMs";
  }
}

/// The SMs that one small block bars, beside the mates by clusters, if these told any: what two
/// ways show must be the same.
void ask_carve_out(CudaDevice& device, const Patience& patience, Topology& topology) {
  const std::vector<int> seen = tpcs_by_carve_out(device, patience);
  const std::string before = topology.tpc_evidence.empty() ? "" : topology.tpc_evidence + "; ";
  if (seen.empty()) {
    topology.tpc_evidence = before + "carve-out conflicts show no pairs";
  } else if (topology.device.tpc_of_sm.empty()) {
    topology.device.tpc_of_sm = seen;
    topology.tpc_evidence = before + "carve-out conflicts: the SMs that one small block bars";
  } else if (topology.device.tpc_of_sm == seen) {
    topology.tpc_evidence = before + "carve-out conflicts show the same pairs";
  } else {
    topology.device.tpc_of_sm.clear();
    topology.tpc_evidence = "none: " + before + "but carve-out conflicts show other pairs";
  }
}

/// Goes without what `ask` would tell where that fails.
void try_to(const std::function<void()>& ask, std::string& evidence) {
  try {
    ask();
  } catch (const Failure& failure) {
    if (failure.code() == FailureCode::device_lost) throw;
    evidence += std::string(evidence.empty() ? "none: " : "; ") + failure.what();
  }
}

}  // namespace

Topology find_topology(CudaDevice& device, const Patience& patience) {
  const Device& facts = device.facts();
  Topology topology{facts, {}, {}};
  if (launches_clusters(facts)) {
    try_to([&] { ask_clusters(facts, topology); }, topology.gpc_evidence);
  } else {
    topology.gpc_evidence = "none: no clusters before sm_90";
  }
  try_to([&] { ask_carve_out(device, patience, topology); }, topology.tpc_evidence);
  return topology;
}

}  // namespace cuvier::gpu
