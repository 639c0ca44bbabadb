// Which of the eligible SMs gets a block: scheduler.md, 4.2 to 4.4.

#include <algorithm>

#include "verify/scheduler.h"

namespace cuvier::verify {
namespace {

/// Where formulas of the selection have the names.
constexpr int kRoom = 0;
constexpr int kTurn = 7;

/// The SM's place in its group, by index where the order is learned.
long place_of(int sm, const std::vector<int>& group, const Mechanism& mechanism) {
  if (!mechanism.is<"tie_break", "learned">()) return std::ranges::find(group, sm) - group.begin();
  return std::ranges::count_if(group, [&](int other) { return other < sm; });
}

}  // namespace

Outlasting after(const Opening& opening, bool cursors_survive, const Mechanism& mechanism,
                 const Device& device, const std::vector<int>& learned) {
  Outlasting after;
  for (const Kernel& kernel : opening.kernels) {
    after.grown = std::max(after.grown, kernel.local);
    after.latest = kernel.local;
  }
  if (!cursors_survive) return after;
  const Formula* formula = mechanism.formula<"selection">();
  const bool stays = !formula && mechanism.is<"selection", "next_fit">();
  const bool moves = formula ? formula->reads(kTurn)
                             : mechanism.is<"selection", "round_robin">() ||
                                   mechanism.is<"selection", "sticky_round_robin">();
  const bool groups_move = !mechanism.is<"hierarchy", "flat">() &&
                           !mechanism.formula<"group_selection">() &&
                           mechanism.is<"group_selection", "round_robin">();
  if (!stays && !moves && !groups_move) return after;
  const SmOrder order = order_of(mechanism, device, learned);
  if (stays || moves) after.cursors.assign(order.groups.size(), 0);
  for (const Opening::Latest& latest : opening.latest) {
    const int group = order.group_of_sm[latest.sm];
    const std::vector<int>& sms = order.groups[group];
    const auto next = [](auto place, std::size_t of) { return static_cast<int>((place + 1) % of); };
    const auto at = formula ? place_of(latest.sm, sms, mechanism)
                            : std::ranges::find(sms, latest.sm) - sms.begin();
    if (stays) after.cursors[group] = static_cast<int>(at);
    if (moves) after.cursors[group] = next(at, sms.size());
    if (groups_move) after.group_cursor = next(group, order.groups.size());
  }
  return after;
}

int Scheduler::choose(Questions& ask, int k) {
  const KernelState& state = state_.kernels[k];
  const bool odd = state.placed % 2 == 1;
  if (odd && mechanism.is_named<"selection">() && mechanism.is<"selection", "paired">() &&
      fits(ask, state.latest_sm, k)) {
    return state.latest_sm;
  }
  if (mechanism.is<"hierarchy", "flat">()) return select(ask, k, 0, {});
  Turn& turn = state_.turn;
  if (mechanism.is<"group_turn", "one_block">()) {
    const int group = choose_group(ask, k);
    return group < 0 ? -1 : select(ask, k, group, {});
  }
  const auto goes_on = [&](int sm) {
    return std::ranges::count(turn.used, sm) == 0 && fits(ask, sm, k);
  };
  if (turn.kernel != k || !std::ranges::any_of(order().groups[turn.group], goes_on)) {
    const int group = choose_group(ask, k);
    if (group < 0) return -1;
    turn = {k, group, {}};
  }
  const int sm = select(ask, k, turn.group, turn.used);
  if (sm >= 0) turn.used.push_back(sm);
  return sm;
}

int Scheduler::choose_group(Questions& ask, int k) {
  const auto& groups = order().groups;
  const int count = static_cast<int>(groups.size());
  const auto is_eligible = [&](int sm) { return fits(ask, sm, k); };
  const auto can = [&](int group) { return std::ranges::any_of(groups[group], is_eligible); };
  const Formula* formula = mechanism.formula<"group_selection">();
  int& cursor = state_.outlasting.group_cursor;
  if (!formula && mechanism.is<"group_selection", "round_robin">()) {
    for (int i = 0; i < count; ++i) {
      const int group = (cursor + i) % count;
      if (!can(group)) continue;
      cursor = (group + 1) % count;
      return group;
    }
    return -1;
  }
  int best = -1;
  std::vector<long> least;
  for (int group = 0; group < count; ++group) {
    if (!can(group)) continue;
    long rooms = 0;
    long eligible = 0;
    long warps = 0;
    long blocks = 0;
    const bool asks_room =
        formula ? formula->reads(0) : mechanism.is<"group_selection", "most_room">();
    for (const int sm : groups[group]) {
      warps += state_.warps[sm];
      blocks += static_cast<long>(state_.on_sm[sm].size());
      if ((!asks_room && !formula) || !is_eligible(sm)) continue;
      ++eligible;
      if (asks_room) rooms += room(ask, sm, k);
    }
    const long size = static_cast<long>(groups[group].size());
    std::vector<long> key = {0};
    if (formula) {
      key = formula->tuple({rooms, eligible, warps, blocks, size});
    } else if (asks_room) {
      key = {-rooms};
    } else if (mechanism.is<"group_selection", "smallest_first">()) {
      key = {size};
    } else if (mechanism.is<"group_selection", "fewest_warps">()) {
      key = {warps};
    } else {
      return group;  // first_fit
    }
    if (best < 0 || key < least) best = group, least = key;
  }
  return best;
}

/// `used`: SMs that had their turn.
int Scheduler::select(Questions& ask, int k, int group, const std::vector<int>& used) {
  const std::vector<int>& list = order().groups[group];
  const int count = static_cast<int>(list.size());
  const auto is_eligible = [&](int sm) {
    return std::ranges::count(used, sm) == 0 && fits(ask, sm, k);
  };
  const Formula* formula = mechanism.formula<"selection">();
  std::vector<int>& cursors = state_.outlasting.cursors;
  const bool sticky = !formula && mechanism.is<"selection", "sticky_round_robin">();
  const bool moves = sticky || (!formula && mechanism.is<"selection", "round_robin">());
  if (moves || (!formula && mechanism.is<"selection", "next_fit">())) {
    const int cursor = cursors.empty() ? 0 : cursors[group];
    for (int i = 0; i < count; ++i) {
      const int at = (cursor + i) % count;
      if (std::ranges::count(used, list[at]) > 0) continue;
      if (!fits(ask, list[at], k)) {
        if (sticky) return -1;
        continue;
      }
      if (cursors.empty()) cursors.assign(order().groups.size(), 0);
      cursors[group] = moves ? (at + 1) % count : at;
      return list[at];
    }
    return -1;
  }
  if (!formula && mechanism.is<"selection", "first_fit">()) {
    const auto first = std::ranges::find_if(list, is_eligible);
    return first == list.end() ? -1 : *first;
  }
  int best = -1;
  for (const int sm : list) {
    if (is_eligible(sm) && (best < 0 || before(ask, sm, best, k))) best = sm;
  }
  if (best >= 0 && formula && formula->reads(kTurn)) {
    if (cursors.empty()) cursors.assign(order().groups.size(), 0);
    cursors[group] = static_cast<int>((place_of(best, list, mechanism) + 1) % count);
  }
  return best;
}

/// Whether the selection prefers one SM to the other.
bool Scheduler::before(Questions& ask, int sm, int other, int k) {
  const bool least = !mechanism.formula<"selection">() && mechanism.is<"selection", "least_used">();
  const bool most = !mechanism.formula<"selection">() && mechanism.is<"selection", "most_used">();
  if (!least && !most) return key(ask, sm, k) < key(ask, other, k);
  struct Share {
    long of;
    long all;
  };
  const auto is_less = [](const Share& a, const Share& b) { return a.of * b.all < b.of * a.all; };
  const auto used = [&](int each) {
    const Questions::Usage usage = ask.usage(each, k);
    const long blocks = static_cast<long>(state_.on_sm[each].size()) + 1;
    const long shared = device_->largest_config();
    return std::max({Share{blocks, device_->max_blocks_per_sm},
                     Share{state_.warps[each] + kernel(k).warps(), device_->max_warps_per_sm},
                     Share{usage.registers, device_->registers_per_sm},
                     Share{shared == 0 ? 0 : usage.shared, std::max(1L, shared)}},
                    is_less);
  };
  return least ? is_less(used(sm), used(other)) : is_less(used(other), used(sm));
}

/// How many SMs of its group come between the one behind the latest and this one.
long Scheduler::turn_of(int sm) {
  const int group = order().group_of_sm[sm];
  const std::vector<int>& list = order().groups[group];
  const std::vector<int>& cursors = state_.outlasting.cursors;
  const long count = static_cast<long>(list.size());
  const long next = cursors.empty() ? 0 : cursors[group];
  return (place_of(sm, list, mechanism) - next + count) % count;
}

/// The smallest is chosen.
std::vector<long> Scheduler::key(Questions& ask, int sm, int k) {
  const long warps = state_.warps[sm];
  const long blocks = static_cast<long>(state_.on_sm[sm].size());
  if (const Formula* formula = mechanism.formula<"selection">()) {
    const Kernel& of = kernel(k);
    return formula->tuple(
        {formula->reads(kRoom) ? room(ask, sm, k) : 0, warps, blocks, sm, of.warps(), of.registers,
         of.shared, formula->reads(kTurn) ? turn_of(sm) : 0,
         std::ranges::count(state_.on_sm[sm], k, &Resident::kernel),
         state_.blocks_on_tpc[(*tpc_of_sm_)[sm]], state_.kernels[k].placed, left(k), device_->sms});
  }
  if (mechanism.is<"selection", "fewest_warps">()) return {warps};
  if (mechanism.is<"selection", "most_warps">()) return {-warps};
  if (mechanism.is<"selection", "fewest_blocks">()) return {blocks};
  return {-room(ask, sm, k)};  // most_room, paired
}

}  // namespace cuvier::verify
