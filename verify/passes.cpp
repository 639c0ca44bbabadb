// Where clusters go, and which they are, under cluster_gpc=pass_by_pass: scheduler.md, 4, Clusters.

#include "verify/scheduler.h"

namespace cuvier::verify {

/// Places of the parts that a cluster gets in a GPC, and the greatest of their keys.
struct Scheduler::Offer {
  std::vector<int> sms = {};
  std::vector<long> key = {};
};

/// The SMs for the kernel's next cluster, in the order of its blocks; none: it waits.
std::vector<int> Scheduler::next_in_pass(Way& way, int k) {
  KernelState& state = kernels_[k];
  const Domains nothing{};
  const Sm idle{way.tables().warps.empty(), way.tables().shared.empty()};
  const bool is_alone =
      way.room(idle, k, nothing, std::min(2, topology_->device.max_blocks_per_sm)) < 2;
  std::map<std::vector<long>, std::map<int, std::vector<int>>> offers;  // by key, then GPC
  for (const int gpc : topology_->pass) {
    const Offer offer = is_alone ? lowest_on(way, k, gpc) : offer_of(way, k, gpc);
    const auto place = std::ranges::find(topology_->pass, gpc) - topology_->pass.begin();
    if (!offer.sms.empty()) offers[offer.key][static_cast<int>(place)] = offer.sms;
  }
  if (offers.empty()) return {};
  auto& [key, equals] = *offers.begin();
  auto next = state.pass.key == key ? equals.upper_bound(state.pass.latest) : equals.end();
  if (next == equals.end()) {
    next = equals.begin();
    ++state.pass.number;
  }
  state.pass.key = key;
  state.pass.latest = next->first;
  return next->second;
}

/// The first SMs of the GPC on which blocks fit. All keys are equal.
Scheduler::Offer Scheduler::lowest_on(Way& way, int k, int gpc) const {
  Offer offer{{}, {0}};
  for (const int sm : topology_->gpcs.sms[gpc]) {
    if (std::ssize(offer.sms) < kernel(k).cluster && takes_of_cluster(way, sm, k)) {
      offer.sms.push_back(sm);
    }
  }
  if (std::ssize(offer.sms) < kernel(k).cluster) offer.sms.clear();
  return offer;
}

/// Whole TPCs, then single SMs for the blocks left over.
Scheduler::Offer Scheduler::offer_of(Way& way, int k, int gpc) const {
  const auto& tpcs = topology_->tpcs_of_gpc[gpc].sms;
  const auto takes = [&](int sm) { return takes_of_cluster(way, sm, k); };
  using Keyed = std::pair<std::vector<long>, std::vector<int>>;
  std::vector<Keyed> whole;
  for (const auto& tpc : tpcs) {
    if (std::ssize(tpc) < topology_->whole_tpc || !std::ranges::all_of(tpc, takes)) continue;
    whole.emplace_back(pass_key(way, k, tpc), tpc);
  }
  std::ranges::stable_sort(whole, {}, &Keyed::first);
  const int count = kernel(k).cluster / topology_->whole_tpc;
  if (std::ssize(whole) < count) return {};
  Offer offer;
  for (int tpc = 0; tpc < count; ++tpc) {
    offer.sms.insert(offer.sms.end(), whole[tpc].second.begin(), whole[tpc].second.end());
    offer.key = std::max(offer.key, whole[tpc].first);
  }
  std::ranges::sort(offer.sms);
  while (std::ssize(offer.sms) < kernel(k).cluster) {
    std::vector<Keyed> singles;  // the last part of a key: whether its TPC has another like it
    for (const auto& tpc : tpcs) {
      for (const int sm : tpc) {
        if (std::ranges::count(offer.sms, sm) > 0 || !takes(sm)) continue;
        std::vector<long> key = pass_key(way, k, {sm});
        const bool has_like = std::ranges::any_of(tpc, [&](int other) {
          return other != sm && takes(other) && pass_key(way, k, {other}) == key;
        });
        key.push_back(has_like);
        singles.emplace_back(key, std::vector{sm});
      }
    }
    if (singles.empty()) return {};
    auto [key, sms] = *std::ranges::min_element(singles, {}, &Keyed::first);
    key.pop_back();
    offer.key = std::max(offer.key, key);
    offer.sms.push_back(sms.front());
  }
  return offer;
}

bool Scheduler::takes_of_cluster(Way& way, int sm, int k) const {
  return fits(way, sm, k) && left_for_clusters(way, sm) > 0;
}

/// What SMs are compared by that a cluster may get together.
std::vector<long> Scheduler::pass_key(Way& way, int k, const std::vector<int>& sms) const {
  int room = 1 << 30;
  bool is_busy = false;
  for (const int sm : sms) {
    const int most = std::min(free_slots(sm), left_for_clusters(way, sm));
    room = std::min(room, way.room(at(sm), k, around(sm), most));
    is_busy = is_busy || at(sm).blocks > 0;
  }
  return {-room, is_busy};
}

/// Gives out the clusters of the kernel's pass: those on lone TPCs, then the others, each sort from
/// behind the GPC that had its latest turn.
void Scheduler::give_pass(int k, std::vector<Start>& starts) {
  KernelState& state = kernels_[k];
  const auto of_next =
      std::ranges::upper_bound(state.in_flight, state.in_flight.front().pass, {}, &Pick::pass);
  const std::vector<Pick> picks(state.in_flight.begin(), of_next);
  const std::vector<Pick> later(of_next, state.in_flight.end());
  std::map<std::pair<int, int>, std::vector<Pick>> clusters;
  const std::array<int, 2> latest = outlasting_.numbering;
  for (const Pick& pick : picks) {
    const auto [kind, group, gpc] = topology_->number_groups[pick.sm];
    clusters[{kind, topology_->turns_behind(kind, latest[kind], gpc)}].push_back(pick);
  }
  for (const auto& [turn, cluster] : clusters) {
    const auto [kind, group, gpc] = topology_->number_groups[cluster.front().sm];
    outlasting_.numbering[kind] = gpc;
    for (const Pick& pick : cluster) {
      state.in_flight = {pick};
      give_one(k, starts);
    }
  }
  state.in_flight = later;
}

}  // namespace cuvier::verify
