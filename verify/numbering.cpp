// Which block is where under numbering=by_gpc: scheduler.md, 4.

#include <algorithm>
#include <map>
#include <set>

#include "verify/scheduler.h"

namespace cuvier::verify {
namespace {

/// How many shares later than a whole round one is planned that has so many picks.
long later(long picks) {
  if (picks <= 3) return picks + 3;
  if (picks == 4) return 6;
  if (picks <= 9) return picks + 4;
  if (picks <= 12) return 14;
  if (picks <= 40) return (picks + 32) / 3;
  return 24 + 2 * (picks - 40) / 5;
}

}  // namespace

/// What is learned of an order are the numbers that blocks have.
bool numbers_by_gpc(Way& way) { return way.is("numbering=by_gpc") && !way.is("tie_break=learned"); }

/// The round of the kernel's next pick, on that SM; -1: blocks start as their SMs are chosen.
int Scheduler::round_of(Way& way, int k) {
  if (kernel(k).cluster > 0 || !numbers_by_gpc(way)) return -1;
  KernelState& state = kernels_[k];
  const std::vector<double> before = std::exchange(state.key, std::exchange(latest_key_, {}));
  if (state.in_flight.empty()) return 0;
  return state.in_flight.back().round + (before == state.key ? 0 : 1);
}

/// Gives out all places of the kernel's picks in flight.
void Scheduler::give_all_in_rounds(int k, std::vector<Start>& starts) {
  KernelState& state = kernels_[k];
  const std::vector<Pick> picks = std::exchange(state.in_flight, {});
  state.key = {};  // those who chose alike go on alike
  // Kind, then group, then SM: places that wait on each.
  std::map<int, std::map<int, std::map<int, int>>> waiting;
  std::map<int, std::vector<Pick>> in_rounds;
  for (const Pick& pick : picks) in_rounds[pick.round].push_back(pick);
  const auto sms_of = [](const std::vector<Pick>& round) {
    std::multiset<int> sms;
    for (const Pick& pick : round) sms.insert(pick.sm);
    return sms;
  };
  auto next = in_rounds.begin();
  long rounds = 0;
  for (long shares = 0;; ++shares) {
    const auto is_planned = [&] {
      const auto& round = next->second;
      const bool is_rest = std::next(next) == in_rounds.end() &&
                           (next == in_rounds.begin() ||
                            !std::ranges::includes(sms_of(round), sms_of(std::prev(next)->second)));
      return waiting.empty() || shares >= 8 * rounds - 1 + (is_rest ? later(std::ssize(round)) : 0);
    };
    for (; next != in_rounds.end() && is_planned(); ++next, ++rounds) {
      for (const Pick& pick : next->second) {
        const auto [kind, group] = topology_->number_groups[pick.sm];
        waiting[kind][group][pick.sm] += pick.blocks;
      }
    }
    if (waiting.empty()) return;
    auto& [kind, groups] = *waiting.begin();
    int& latest = outlasting_.numbering[kind];
    const auto behind = [&](int group) {
      const auto after = groups.upper_bound(group);
      return after == groups.end() ? groups.begin() : after;
    };
    auto turn = behind(latest);
    if (shares == 0 && state.started == 0) turn = behind(turn->first);
    latest = turn->first;
    for (auto sm = turn->second.begin(); sm != turn->second.end();) {
      state.in_flight = {{sm->first, 1}};
      give_one(k, starts);
      sm = --sm->second == 0 ? turn->second.erase(sm) : std::next(sm);
    }
    if (turn->second.empty()) groups.erase(turn);
    if (groups.empty()) waiting.erase(waiting.begin());
  }
}

}  // namespace cuvier::verify
