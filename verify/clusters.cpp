// Where whole clusters go: scheduler.md, 4, Clusters.

#include "verify/scheduler.h"

namespace cuvier::verify {

/// The SMs for a cluster of the kernel, ascending; none: it waits.
std::vector<int> Scheduler::choose_cluster(Way& way, int k) {
  if (way.is("cluster_gpc=pass_by_pass")) return next_in_pass(way, k);
  const Groups& gpcs = topology_->gpcs;
  const int count = gpcs.count();
  const Formula& order = *way.rule("cluster_gpc_order");
  const std::vector<int> list = by_key(numbers_below(count), [&](int gpc) {
    return order.tuple({gpcs.size(gpc), gpc, count, kernel(k).cluster});
  });
  const auto place = [&](int gpc) {
    return static_cast<int>(std::ranges::find(list, gpc) - list.begin());
  };
  const Formula& rule = *way.rule("cluster_gpc");
  int begin = 0;  // behind the cursor
  if (rule.reads("turn")) {
    const int cursor = way.is("cluster_cursor=device_idle") ? cluster_gpc_
                       : way.is("cluster_cursor=kernel")    ? cluster_gpc_kernel_
                                                            : block_gpc_;
    begin = cursor < 0 ? 0 : place(cursor) + 1;
  }
  const auto key = [&](int gpc) {
    const std::vector<int>& sms = gpcs.sms[gpc];
    long fitting = 0;
    long warps = 0;
    for (const int sm : sms) {
      if (rule.reads("fitting")) fitting += left_for_clusters(way, sm) > 0 && fits(way, sm, k);
      warps += at(sm).warps;
    }
    return rule.tuple({(place(gpc) - begin + count) % count, fitting, blocks_on(sms),
                       gpcs.size(gpc), warps, blocks_on(sms, k), gpc, kernel(k).cluster});
  };
  const auto can = [&](int gpc) { return !cluster_on(way, k, gpc).empty(); };
  const int gpc = first_of(list, rule.reads("fitting"), key, can);
  if (gpc < 0) return {};
  cluster_gpc_ = cluster_gpc_kernel_ = gpc;
  const auto groups_are_gpcs = [&] {
    return topology_->labels(way.rule("hierarchy")) == gpcs.of_sm;
  };
  if (rule.reads("turn") && way.is("cluster_cursor=shared") && groups_are_gpcs()) {
    group_moved_to(way, gpcs.sms[gpc].front());
  }
  return cluster_on(way, k, gpc);
}

/// How many blocks of clusters more an SM may hold, whether they fit or not.
int Scheduler::left_for_clusters(Way& way, int sm) const {
  const long of_clusters = std::ranges::count_if(
      residents_on(sm), [&](const Resident& each) { return kernel(each.kernel).cluster > 0; });
  const int others = topology_->device.max_blocks_per_sm;
  // With fewer than that none could be too many, and the axis is not read.
  if (of_clusters + others <= 8 || !way.is("cluster_limit=eight")) return others;
  return static_cast<int>(8 - of_clusters);
}

/// The SMs of the GPC for a cluster, ascending; none: it cannot take the whole.
std::vector<int> Scheduler::cluster_on(Way& way, int k, int gpc) const {
  const std::vector<int>& sms = topology_->gpcs.sms[gpc];
  const Groups& tpcs = topology_->tpcs_of_gpc[gpc];
  const Formula& rule = *way.rule("cluster_sms");
  const bool shared = way.is("cluster_sharing=shared");
  const bool tpc_apart = way.is("cluster_sharing=tpc_apart");
  const auto in_tpc_of = [&](int sm) {
    return [&tpcs, sm](int other) { return tpcs.of_sm[other] == tpcs.of_sm[sm]; };
  };
  std::map<int, int> most;  // blocks of this cluster, by SM
  for (const int sm : sms) {
    if (!is_open(sm)) continue;
    const int wanted =
        std::min({free_slots(sm), left_for_clusters(way, sm), shared ? kernel(k).cluster : 1});
    if (wanted <= 0) continue;
    const int that_fit = way.several(at(sm), k, around(sm), wanted);
    while (most[sm] < that_fit && lets_in(way, sm, k, most[sm])) ++most[sm];
  }
  std::map<int, int> on;  // the same, so far
  std::vector<int> chosen;
  while (static_cast<int>(chosen.size()) < kernel(k).cluster) {
    const auto key = [&](int sm) {
      return rule.tuple({sm, topology_->gpcs.place[sm], tpcs.of_sm[sm], tpcs.place[sm],
                         at(sm).blocks + on[sm], at(sm).warps,
                         blocks_on(tpc_of(sm)) + std::ranges::count_if(chosen, in_tpc_of(sm)), gpc,
                         std::ssize(sms), kernel(k).cluster});
    };
    const int best = first_of(sms, false, key, [&](int sm) {
      return on[sm] < most[sm] && !(tpc_apart && std::ranges::any_of(chosen, in_tpc_of(sm)));
    });
    if (best < 0) return {};
    ++on[best];
    chosen.push_back(best);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace cuvier::verify
