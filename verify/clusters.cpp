// Where whole clusters go: scheduler.md, 4, Clusters.

#include <algorithm>
#include <numeric>

#include "verify/scheduler.h"

namespace cuvier::verify {

/// The GPC behind which the next one comes; -1: at the start.
int Scheduler::cluster_cursor() const {
  if (mechanism.is<"cluster_cursor", "device_idle">()) return state_.cluster_gpc;
  if (mechanism.is<"cluster_cursor", "kernel">()) return state_.cluster_gpc_kernel;
  return state_.block_gpc;
}

void Scheduler::cluster_went_to(int gpc) {
  state_.cluster_gpc = state_.cluster_gpc_kernel = gpc;
  const Formula* formula = mechanism.formula<"cluster_gpc">();
  if (formula ? !formula->reads(0) : !mechanism.is<"cluster_gpc", "in_turn">()) return;
  if (!mechanism.is<"hierarchy", "gpc">() || !mechanism.is<"cluster_cursor", "shared">()) return;
  if (mechanism.formula<"group_selection">() || !mechanism.is<"group_selection", "round_robin">()) {
    return;
  }
  const int group = order().group_of_sm[(*gpcs_)[gpc].front()];
  state_.outlasting.group_cursor = (group + 1) % static_cast<int>(gpcs_->size());
}

/// The SMs for a cluster of the kernel, ascending; none: it waits.
std::vector<int> Scheduler::choose_cluster(Questions& ask, int k) {
  const auto& gpcs = *gpcs_;
  const int count = static_cast<int>(gpcs.size());
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), 0);
  const auto size = [&](int gpc) { return static_cast<long>(gpcs[gpc].size()); };
  if (mechanism.is<"cluster_gpc_order", "smallest_first">())
    std::ranges::stable_sort(list, {}, size);
  if (mechanism.is<"cluster_gpc_order", "largest_first">()) {
    std::ranges::stable_sort(list, std::ranges::greater{}, size);
  }
  const Formula* formula = mechanism.formula<"cluster_gpc">();
  const bool in_turn = !formula && mechanism.is<"cluster_gpc", "in_turn">();
  const bool asks_turn = in_turn || (formula && formula->reads(0));
  const bool first_fit = !formula && mechanism.is<"cluster_gpc", "first_fit">();
  const int cursor = asks_turn ? cluster_cursor() : -1;
  const int begin =
      cursor < 0 ? 0 : static_cast<int>(std::ranges::find(list, cursor) - list.begin()) + 1;
  std::vector<int> best;
  std::vector<long> least;
  int best_gpc = -1;
  for (int i = 0; i < count; ++i) {
    const int gpc = list[in_turn ? (begin + i) % count : i];
    std::vector<int> chosen = cluster_on(ask, k, gpc);
    if (chosen.empty()) continue;
    long fitting = 0;
    long blocks = 0;
    for (const int sm : gpcs[gpc]) {
      if (!in_turn && !first_fit) fitting += fits(ask, sm, k);
      blocks += static_cast<long>(state_.on_sm[sm].size());
    }
    std::vector<long> key = {0};
    if (formula) {
      key = formula->tuple({(i - begin + count) % count, fitting, blocks, size(gpc)});
    } else if (mechanism.is<"cluster_gpc", "most_room">()) {
      key = {-fitting};
    } else if (mechanism.is<"cluster_gpc", "fewest_blocks">()) {
      key = {blocks};
    }
    if (best.empty() || key < least) best = chosen, least = key, best_gpc = gpc;
    if (in_turn || first_fit) break;
  }
  if (!best.empty()) cluster_went_to(best_gpc);
  return best;
}

/// The SMs of the GPC for a cluster, ascending; none: it cannot take the whole.
std::vector<int> Scheduler::cluster_on(Questions& ask, int k, int gpc) const {
  const std::vector<int>& list = (*gpcs_)[gpc];
  std::vector<std::vector<int>> tpcs;
  std::vector<int> tpc_of(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto same = std::ranges::find_if(tpcs, [&](const auto& tpc) {
      return (*tpc_of_sm_)[tpc.front()] == (*tpc_of_sm_)[list[i]];
    });
    tpc_of[i] = static_cast<int>(same - tpcs.begin());
    if (same == tpcs.end()) tpcs.emplace_back();
    tpcs[tpc_of[i]].push_back(list[i]);
  }
  const std::vector<int> by_tpcs = interleaved(tpcs);
  const Formula* formula = mechanism.formula<"cluster_sms">();
  const bool shared = mechanism.is<"cluster_sharing", "shared">();
  const bool tpc_apart = mechanism.is<"cluster_sharing", "tpc_apart">();
  std::vector<int> chosen;
  std::vector<int> on(list.size(), 0);  // blocks of this cluster
  std::vector<int> most(list.size(), 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const int slots = device_->max_blocks_per_sm - static_cast<int>(state_.on_sm[list[i]].size());
    const int wanted = std::min(slots, kernel(k).cluster);
    if (wanted <= 0) continue;
    const int that_fit = shared ? ask.several(list[i], k, wanted) : ask.fits(list[i], k);
    while (most[i] < that_fit && lets_in(list[i], k, most[i])) ++most[i];
  }
  while (static_cast<int>(chosen.size()) < kernel(k).cluster) {
    int best = -1;
    std::vector<long> least;
    for (int i = 0; i < static_cast<int>(list.size()); ++i) {
      if (on[i] >= most[i]) continue;
      const bool taken = std::ranges::any_of(
          chosen, [&](int sm) { return (*tpc_of_sm_)[sm] == (*tpc_of_sm_)[list[i]]; });
      if (tpc_apart && taken) continue;
      const long blocks = static_cast<long>(state_.on_sm[list[i]].size()) + on[i];
      std::vector<long> key = {i};
      if (formula) {
        key = formula->tuple({list[i], i, tpc_of[i],
                              std::ranges::find(tpcs[tpc_of[i]], list[i]) - tpcs[tpc_of[i]].begin(),
                              blocks});
      } else if (mechanism.is<"cluster_sms", "fewest_blocks">()) {
        key = {blocks};
      } else if (mechanism.is<"cluster_sms", "tpc_interleaved">()) {
        key = {std::ranges::find(by_tpcs, list[i]) - by_tpcs.begin()};
      }
      if (best < 0 || key < least) best = i, least = key;
    }
    if (best < 0) return {};
    ++on[best];
    chosen.push_back(list[best]);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace cuvier::verify
