// Which of the eligible SMs gets a block: scheduler.md, 4.2 to 4.4.

#include "verify/scheduler.h"

namespace cuvier::verify {
namespace {

/// Where cursors and turns have the SM: in its group, by index for a formula where the order is
/// learned.
int place_of(int sm, const std::vector<int>& group, Way& way) {
  if (way.value("selection")->named < 0 && way.is("tie_break=learned")) {
    return static_cast<int>(std::ranges::count_if(group, [&](int other) { return other < sm; }));
  }
  return static_cast<int>(std::ranges::find(group, sm) - group.begin());
}

/// Whether the selection goes by a cursor; then that moves to the chosen SM, and past it, perhaps.
bool has_cursor(Way& way) {
  const Formula* rule = way.rule("selection");
  return rule && rule->reads("turn");
}
void move_cursor(Outlasting& outlasting, int sm, const Groups& groups, Way& way) {
  const int group = groups.of_sm[sm];
  if (outlasting.cursors.empty()) outlasting.cursors.assign(groups.count(), 0);
  const int past = way.is("selection=next_fit") ? 0 : 1;
  outlasting.cursors[group] = (place_of(sm, groups.sms[group], way) + past) % groups.size(group);
}

/// A rule may count from when an SM was chosen last.
bool remembers(Way& way) {
  const Formula* rule = way.rule("selection");
  return rule && rule->reads("since");
}
void remember(Outlasting& outlasting, int sm) {
  std::erase(outlasting.chosen, sm);
  outlasting.chosen.push_back(sm);
}
/// SMs that were chosen since this one was.
long chosen_since(const Outlasting& outlasting, int sm, int sms) {
  const auto latest = std::ranges::find(outlasting.chosen, sm);
  return latest == outlasting.chosen.end() ? sms : outlasting.chosen.end() - latest - 1;
}

/// Where turns have a group: by its lowest SM for a formula where the order is learned.
int place_of_group(int group, const Groups& groups, Way& way) {
  if (way.value("group_selection")->named >= 0 || !way.is("tie_break=learned")) return group;
  const auto lowest = [&](const std::vector<int>& sms) { return std::ranges::min(sms); };
  return static_cast<int>(std::ranges::count_if(groups.sms, [&](const std::vector<int>& other) {
    return lowest(other) < lowest(groups.sms[group]);
  }));
}

}  // namespace

Outlasting after(const Opening& opening, const Topology& topology, Way& way) {
  Outlasting after;
  for (const Kernel& kernel : opening.kernels) {
    after.grown = std::max(after.grown, kernel.local);
    after.latest = kernel.local;
  }
  const bool survive = way.says("cursor_reset", [](const Mechanism& mechanism) {
    return mechanism.is("cursor_reset=never");
  });
  if (!survive) return after;
  const bool groups_move = !way.is("hierarchy=flat") && way.rule("group_selection")->reads("turn");
  if (!has_cursor(way) && !groups_move && !remembers(way)) return after;
  const Groups& groups = topology.in_order(way.value("tie_break"), way.value("hierarchy"));
  for (const Opening::Latest& latest : opening.latest) {
    if (has_cursor(way)) move_cursor(after, latest.sm, groups, way);
    if (remembers(way)) remember(after, latest.sm);
    if (!groups_move) continue;
    const int place = place_of_group(groups.of_sm[latest.sm], groups, way);
    after.group_cursor = (place + 1) % groups.count();
  }
  return after;
}

int Scheduler::choose(Way& way, int k) {
  const KernelState& state = state_.kernels[k];
  if (state.placed % 2 == 1 && way.is("selection=paired") && fits(way, state.latest_sm, k)) {
    return state.latest_sm;
  }
  if (way.is("hierarchy=flat")) return select(way, k, 0, {});
  Turn& turn = state_.turn;
  if (way.is("group_turn=one_block")) {
    const int group = choose_group(way, k);
    return group < 0 ? -1 : select(way, k, group, {});
  }
  const auto goes_on = [&](int sm) {
    return std::ranges::count(turn.used, sm) == 0 && fits(way, sm, k);
  };
  if (turn.kernel != k || !std::ranges::any_of(groups(way).sms[turn.group], goes_on)) {
    const int group = choose_group(way, k);
    if (group < 0) return -1;
    turn = {k, group, {}};
  }
  const int sm = select(way, k, turn.group, turn.used);
  if (sm >= 0) turn.used.push_back(sm);
  return sm;
}

int Scheduler::choose_group(Way& way, int k) {
  const Groups& groups = this->groups(way);
  const Formula& rule = *way.rule("group_selection");
  int& cursor = state_.outlasting.group_cursor;
  const auto is_eligible = [&](int sm) { return fits(way, sm, k); };
  const bool asks = rule.reads("room") || rule.reads("eligible");
  const auto key = [&](int group) {
    long rooms = 0;
    long eligible = 0;
    long warps = 0;
    long blocks = 0;
    for (const int sm : groups.sms[group]) {
      warps += state_.warps[sm];
      blocks += blocks_on(sm);
      if (!asks || !is_eligible(sm)) continue;
      ++eligible;
      if (rule.reads("room")) rooms += room(way, sm, k);
    }
    return rule.tuple(
        {rooms, eligible, warps, blocks, groups.size(group),
         (place_of_group(group, groups, way) - cursor + groups.count()) % groups.count()});
  };
  const int chosen = first_of(numbers_below(groups.count()), asks, key, [&](int group) {
    return std::ranges::any_of(groups.sms[group], is_eligible);
  });
  if (chosen >= 0 && rule.reads("turn")) {
    cursor = (place_of_group(chosen, groups, way) + 1) % groups.count();
  }
  return chosen;
}

/// `used`: SMs that had their turn.
int Scheduler::select(Way& way, int k, int group, const std::vector<int>& used) {
  const Groups& groups = this->groups(way);
  const Formula* rule = way.rule("selection");
  const Kernel& of = kernel(k);
  const auto& cursors = state_.outlasting.cursors;
  const int cursor = cursors.empty() ? 0 : cursors[group];
  const bool asks_room = rule && rule->reads("room");
  const bool asks_turn = has_cursor(way);
  const bool asks_registers = rule && rule->reads("held_registers");
  const bool asks_rank = rule && rule->reads("rank");
  static const Value* const flat = value_of(find_axis("hierarchy"), "flat");
  const Groups& in_all = topology_->in_order(way.value("tie_break"), flat);
  const bool asks_bytes = rule && rule->reads("held_bytes");
  const int sms_in_all = topology_->device.sms;
  std::vector<int> sms = groups.sms[group];
  std::erase_if(sms, [&](int sm) { return std::ranges::count(used, sm) > 0; });
  const auto turn = [&](int sm) {
    const int count = groups.size(group);
    return (place_of(sm, groups.sms[group], way) - cursor + count) % count;
  };
  if (!sms.empty() && way.is("selection=sticky_round_robin"))
    sms = {std::ranges::min(sms, {}, turn)};
  const auto key = [&](int sm) -> std::vector<double> {
    if (!rule) return {usage(way, sm, k) * (way.is("selection=least_used") ? 1 : -1)};
    if (rule->is_constant()) return {};
    return rule->tuple({asks_room ? room(way, sm, k) : 0, state_.warps[sm], blocks_on(sm), sm,
                        of.warps(), of.registers, of.shared, asks_turn ? turn(sm) : 0,
                        own_blocks_on(sm, k), state_.blocks_on_tpc[topology_->tpcs.of_sm[sm]],
                        state_.kernels[k].placed, left(k), sms_in_all, state_.kernels[k].before,
                        chosen_since(state_.outlasting, sm, sms_in_all),
                        asks_registers ? way.registers(sm, k, Question::held) : 0,
                        asks_bytes ? way.shared_bytes(sm, k, Question::held) : 0,
                        asks_rank ? place_of(sm, in_all.sms.front(), way) : 0, of.priority});
  };
  const int chosen =
      first_of(sms, asks_room || !rule, key, [&](int sm) { return fits(way, sm, k); });
  if (chosen >= 0 && asks_turn) move_cursor(state_.outlasting, chosen, groups, way);
  if (chosen >= 0 && remembers(way)) remember(state_.outlasting, chosen);
  return chosen;
}

/// The largest share of what the SM has, with a block of the kernel. (Two shares differ by more
/// than a double does.)
double Scheduler::usage(Way& way, int sm, int k) const {
  const Device& device = topology_->device;
  const double largest = device.shared_configs.back();
  return std::max({(blocks_on(sm) + 1.0) / device.max_blocks_per_sm,
                   (state_.warps[sm] + kernel(k).warps() + 0.0) / device.max_warps_per_sm,
                   (way.registers(sm, k) + 0.0) / device.registers_per_sm,
                   largest == 0 ? 0 : way.shared_bytes(sm, k) / largest});
}

}  // namespace cuvier::verify
