// Which block is where under numbering=by_gpc: scheduler.md, 4.

#include <algorithm>
#include <map>

#include "verify/scheduler.h"

namespace cuvier::verify {
namespace {

/// How many shares later than a whole round one is ready that has so many places.
long later(long places) {
  if (places <= 3) return places + 3;
  if (places == 4) return 6;
  if (places <= 9) return places + 4;
  if (places <= 12) return 14;
  if (places <= 40) return (places + 32) / 3;
  return 24 + 2 * (places - 40) / 5;
}

}  // namespace

/// What is learned of an order are the numbers that blocks have.
bool numbers_by_gpc(Way& way) {
  const auto by_gpc = [](const Mechanism& mechanism) { return mechanism.is("numbering=by_gpc"); };
  return way.says("numbering", by_gpc) && !way.is("tie_break=learned");
}

/// The round of the kernel's next pick, on that SM; -1: blocks start as their SMs are chosen.
int Scheduler::round_of(Way& way, int k) {
  if (kernel(k).cluster > 0 || !numbers_by_gpc(way)) return -1;
  KernelState& state = kernels_[k];
  const Formula::Key before = std::exchange(state.key, std::exchange(latest_key_, {}));
  if (state.in_flight.empty()) return 0;
  return state.in_flight.back().round + (before == state.key ? 0 : 1);
}

/// The first GPC of a single TPC behind one, round and round, for which places wait.
int Scheduler::next_in_ring(const WaitingPlaces& groups, int behind) const {
  std::vector<int> gpcs;
  for (const auto& [group, sms] : groups) {
    for (const auto& [sm, places] : sms) gpcs.push_back(topology_->number_groups[sm].gpc);
  }
  return *std::ranges::min_element(
      gpcs, {}, [&](int gpc) { return topology_->turns_behind(0, behind, gpc); });
}

/// SMs in the order in which they get the kernel's blocks, a place of its picks in flight each.
/// `is_end`: no other pick follows. Else the latest one begins a round, and what comes is as far as
/// it is certain whatever that round is like.
std::vector<int> Scheduler::in_rounds(int k, bool is_end, std::array<int, 2>& latest) const {
  std::vector<int> order;
  std::map<int, std::vector<Pick>> all;
  for (const Pick& pick : kernels_[k].in_flight) all[pick.round].push_back(pick);
  if (!is_end) all.erase(std::prev(all.end()));
  std::map<int, WaitingPlaces> waiting;  // by kind
  const auto places_of = [](const std::vector<Pick>& round) {
    long places = 0;
    for (const Pick& pick : round) places += pick.blocks;
    return places;
  };
  auto next = all.begin();
  long rounds = 0;
  int begun_behind = -1;  // a GPC of the first kind
  for (long time = 0;; ++time) {
    for (; next != all.end(); ++next, ++rounds) {
      const bool is_rest = is_end && std::next(next) == all.end() && kernels_[k].goes_on;
      const long ready =
          rounds == 0 ? 0 : 8 * rounds - 1 + (is_rest ? later(places_of(next->second)) : 0);
      if (!waiting.empty() && time < ready) break;
      time = std::max(time, ready);
      for (const Pick& pick : next->second) {
        const Topology::NumberGroup& of = topology_->number_groups[pick.sm];
        waiting[of.kind][of.group][pick.sm] += pick.blocks;
      }
    }
    if (waiting.empty() || (!is_end && time >= 8 * rounds - 1)) return order;
    auto& [kind, groups] = *waiting.begin();
    const auto behind = [&](int group) {
      const auto after = groups.upper_bound(group);
      return after == groups.end() ? groups.begin() : after;
    };
    auto turn = behind(latest[kind] < 0 || kind != 0 ? latest[kind] : latest[kind] / 2);
    if (order.empty()) {
      begun_behind = latest[0];
      const auto passed_over = turn;
      if (kernels_[k].started == 0) turn = behind(turn->first);
      if (turn != passed_over && kind == 0) begun_behind = next_in_ring(groups, begun_behind);
    }
    std::vector<int> gpcs;
    for (auto sm = turn->second.begin(); sm != turn->second.end();) {
      order.push_back(sm->first);
      gpcs.push_back(topology_->number_groups[sm->first].gpc);
      sm = --sm->second == 0 ? turn->second.erase(sm) : std::next(sm);
    }
    latest[kind] = std::ranges::min(gpcs);
    if (kind == 0 && rounds < 2) {
      latest[kind] = *std::ranges::max_element(
          gpcs, {}, [&](int gpc) { return topology_->turns_behind(kind, begun_behind, gpc); });
    }
    if (turn->second.empty()) groups.erase(turn);
    if (groups.empty()) waiting.erase(waiting.begin());
  }
}

/// Gives out all places of the kernel's picks in flight.
void Scheduler::give_all_in_rounds(int k, std::vector<Start>& starts) {
  KernelState& state = kernels_[k];
  for (const int sm : in_rounds(k, true, outlasting_.numbering)) {
    state.in_flight = {{sm, 1}};
    give_one(k, starts);
  }
  state.key = {};  // those who chose alike go on alike
  state.goes_on = false;
}

/// The kernel's latest pick is the last of its round so far: in which order that got them does not
/// matter.
void Scheduler::sort_round(int k) {
  std::vector<Pick>& picks = kernels_[k].in_flight;
  std::ranges::sort(std::ranges::find(picks, picks.back().round, &Pick::round), picks.end(), {},
                    [](const Pick& pick) { return std::pair(pick.sm, pick.blocks); });
}

/// Adds which of its blocks start next, as its latest pick begins a round, if no other kernel's do
/// before.
void Scheduler::add_coming_in_rounds(int k, std::vector<Start>& coming) const {
  const KernelState& state = kernels_[k];
  const Pick& latest = state.in_flight.back();
  const auto in_step = [&](const Resident& each) {
    return each.kernel == k && (each.block < 0 || each.block >= state.started_before);
  };
  const auto blocks = std::ranges::count_if(residents_on(latest.sm), in_step);
  coming.push_back({k, state.started, -1, latest.sm, static_cast<int>(blocks)});
  const bool begins = std::ranges::count(state.in_flight, latest.round, &Pick::round) == 1;
  const auto flies = [](const KernelState& each) { return !each.in_flight.empty(); };
  if (!begins || queue_ != std::vector{k} || std::ranges::count_if(kernels_, flies) > 1) return;
  std::array<int, 2> groups = outlasting_.numbering;
  int block = state.started;
  for (const int sm : in_rounds(k, false, groups)) {
    coming.push_back({k, block, block - state.started_before, sm});
    ++block;
  }
}

}  // namespace cuvier::verify
