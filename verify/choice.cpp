// Which of the eligible SMs gets a block: scheduler.md, 4.2 to 4.4.

#include "verify/scheduler.h"

namespace cuvier::verify {
namespace {

/// For a formula, cursors and turns go by numbers where the order is learned.
bool goes_by_numbers(Way& way, Axis axis) {
  return way.value(axis)->named < 0 && way.is("tie_break=learned");
}
int place_in_group(int sm, const Groups& groups, Way& way) {
  if (!goes_by_numbers(way, "selection")) return groups.place[sm];
  const auto is_lower = [&](int other) { return other < sm; };
  return static_cast<int>(std::ranges::count_if(groups.sms[groups.of_sm[sm]], is_lower));
}
/// A group's number is that of its lowest SM.
int place_of_group(int group, const Groups& groups, Way& way) {
  if (!goes_by_numbers(way, "group_selection")) return group;
  const int lowest = std::ranges::min(groups.sms[group]);
  const auto is_lower = [&](const auto& sms) { return std::ranges::min(sms) < lowest; };
  return static_cast<int>(std::ranges::count_if(groups.sms, is_lower));
}

/// Whether the axis is a rule that reads the name.
bool reads(Way& way, Axis axis, std::string_view name) {
  const Formula* rule = way.rule(axis);
  return rule && rule->reads(name);
}

}  // namespace

/// A block went to the SM by the selection: that counts from there, perhaps.
void Scheduler::moved_to(Way& way, int sm) {
  Cursors& cursors = outlasting_.cursors;
  if (reads(way, "selection", "turn")) {
    const Groups& groups = this->groups(way);
    const int group = groups.of_sm[sm];
    const int past = way.is("selection=next_fit") ? 0 : 1;
    if (cursors.sms.empty()) cursors.sms.assign(groups.count(), 0);
    cursors.sms[group] = (place_in_group(sm, groups, way) + past) % groups.size(group);
  }
  if (reads(way, "selection", "since")) {
    std::erase(cursors.chosen, sm);
    cursors.chosen.push_back(sm);
  }
}

/// The SM's group was chosen: likewise.
void Scheduler::group_moved_to(Way& way, int sm) {
  if (!reads(way, "group_selection", "turn")) return;
  const Groups& groups = this->groups(way);
  const int place = place_of_group(groups.of_sm[sm], groups, way);
  outlasting_.cursors.group = (place + 1) % groups.count();
}

void Scheduler::open(Way& way, const Opening& opening) {
  for (const Kernel& kernel : opening.kernels) {
    outlasting_.grown = std::max(outlasting_.grown, kernel.local);
    outlasting_.latest = kernel.local;
  }
  const bool survive = way.says("cursor_reset", [](const Mechanism& mechanism) {
    return !mechanism.is("cursor_reset=device_idle") && !mechanism.is("cursor_reset=kernel");
  });
  for (const auto& [sm, kernel, subpartition] : opening.latest) {
    const int k = static_cast<int>(kernels_.size()) + kernel;
    if (subpartition) outlasting_.sms[sm].file = way.tables().warps.after(k, *subpartition);
    configure(way.tables().configs, sm, k, {});
    leave_domains(way.tables().configs, sm);
    if (numbers_by_gpc(way)) {
      const auto [kind, group, gpc] = topology_->number_groups[sm];
      outlasting_.numbering[kind] = kind == 0 ? 2 * group : gpc;
    }
    if (!survive) continue;
    moved_to(way, sm);
    if (!way.is("hierarchy=flat")) group_moved_to(way, sm);
  }
}

int Scheduler::choose(Way& way, int k) {
  if (kernels_[k].placed % 2 == 1 && way.is("selection=paired") &&
      fits(way, kernels_[k].latest_sm, k)) {
    const int mate = kernels_[k].latest_sm;
    if (numbers_by_gpc(way)) {
      latest_key_ = {{-1.0 * way.room(at(mate), k, around(mate), free_slots(mate))}};
    }
    return mate;
  }
  if (way.is("hierarchy=flat")) return select(way, k, 0, {});
  if (way.is("group_turn=one_block")) {
    const int group = choose_group(way, k);
    return group < 0 ? -1 : select(way, k, group, {});
  }
  const auto goes_on = [&](int sm) {
    return std::ranges::count(turn_.used, sm) == 0 && fits(way, sm, k);
  };
  if (turn_.kernel != k || !std::ranges::any_of(groups(way).sms[turn_.group], goes_on)) {
    const int group = choose_group(way, k);
    if (group < 0) return -1;
    turn_ = {k, group, {}};
  }
  const int sm = select(way, k, turn_.group, turn_.used);
  if (sm >= 0) turn_.used.push_back(sm);
  return sm;
}

int Scheduler::choose_group(Way& way, int k) {
  const Groups& groups = this->groups(way);
  const Formula& rule = *way.rule("group_selection");
  const auto is_eligible = [&](int sm) { return fits(way, sm, k); };
  const bool asks_room = rule.reads("room") || rule.reads("least");
  const bool asks = asks_room || rule.reads("eligible");
  const auto key = [&](int group) {
    long rooms = 0;
    long eligible = 0;
    long warps = 0;
    long blocks = 0;
    long least = free_slots(groups.sms[group].front());
    for (const int sm : groups.sms[group]) {
      warps += at(sm).warps;
      blocks += at(sm).blocks;
      if (!asks) continue;
      const bool can = is_eligible(sm);
      const long room = can && asks_room ? way.room(at(sm), k, around(sm), free_slots(sm)) : 0;
      eligible += can;
      rooms += room;
      least = std::min(least, room);
    }
    const int turn = place_of_group(group, groups, way) - outlasting_.cursors.group;
    return rule.tuple({rooms, eligible, warps, blocks, groups.size(group),
                       (turn + groups.count()) % groups.count(), least});
  };
  const int chosen = first_of(numbers_below(groups.count()), asks, key, [&](int group) {
    return std::ranges::any_of(groups.sms[group], is_eligible);
  });
  if (chosen >= 0) group_moved_to(way, groups.sms[chosen].front());
  return chosen;
}

/// How far behind its group's cursor the SM is.
int Scheduler::turn_of(Way& way, int sm) {
  const Groups& groups = this->groups(way);
  const int group = groups.of_sm[sm];
  const std::vector<int>& cursors = outlasting_.cursors.sms;
  const int count = groups.size(group);
  return (place_in_group(sm, groups, way) - (cursors.empty() ? 0 : cursors[group]) + count) % count;
}

/// What the selection compares of an SM, for the kernel's next block.
Scheduler::Key Scheduler::key_for(Way& way, int k) {
  const Formula* rule = way.rule("selection");
  if (!rule) {
    const double sign = way.is("selection=least_used") ? 1 : -1;
    return [this, &way, k, sign](int sm) { return Formula::Key{{sign * usage(way, sm, k)}}; };
  }
  if (rule->is_constant()) return [](int) { return Formula::Key(); };
  const auto asks = [&](const char* name) { return reads(way, "selection", name); };
  const Groups* in_all = &topology_->in_order(way.value("tie_break"));
  return [this, &way, k, rule, in_all, room = asks("room"), turn = asks("turn"), own = asks("own"),
          tpc = asks("tpc_blocks"), tpc_own = asks("tpc_own"), kernels = asks("kernels"),
          gpcs = asks("gpc_blocks"), registers = asks("held_registers"), bytes = asks("held_bytes"),
          rank = asks("rank")](int sm) {
    const Kernel& of = kernel(k);
    const KernelState& state = kernels_[k];
    const auto& [cursors, group, latest, freed, received, picks] = outlasting_.cursors;
    const auto [gpc, place, sms_of_gpc] = topology_->in_gpc(sm);
    const int home = state.first_sm < 0 ? sm : state.first_sm;
    const int sms = topology_->device.sms;
    const auto chosen = std::ranges::find(latest, sm);
    const auto since = chosen == latest.end() ? sms : latest.end() - chosen - 1;
    return rule->tuple(
        {room ? way.room(at(sm), k, around(sm), free_slots(sm)) : 0, at(sm).warps, at(sm).blocks,
         sm, of.warps(), of.registers, of.shared, turn ? turn_of(way, sm) : 0,
         own ? own_blocks_on(sm, k) : 0, tpc ? blocks_on(tpc_of(sm)) : 0, state.placed, left(k),
         sms, state.before, since,
         // held_registers and so on
         registers ? way.registers(at(sm), -1) : 0, bytes ? way.shared_bytes(at(sm), -1) : 0,
         rank ? place_in_group(sm, *in_all, way) : 0, of.priority,
         freed.empty() ? kNeverFreed : freed[sm], tpc_own ? blocks_on(tpc_of(sm), k) : 0,
         std::ssize(resident_), received.empty() ? 0 : received[sm], picks,
         state.latest_sm < 0 ? sm : state.latest_sm,
         // mark and so on
         marks_[sm], home, gpcs ? blocks_on(topology_->mates(topology_->gpcs, sm)) : 0, gpc,
         topology_->in_gpc(home).gpc, sms_of_gpc, kernels ? kernels_beside(sm, k) : 0});
  };
}

/// `used`: SMs that had their turn.
int Scheduler::select(Way& way, int k, int group, const std::vector<int>& used) {
  std::vector<int> sms = groups(way).sms[group];
  std::erase_if(sms, [&](int sm) { return std::ranges::count(used, sm) > 0; });
  if (!sms.empty() && way.is("selection=sticky_round_robin")) {
    sms = {std::ranges::min(sms, {}, [&](int sm) { return turn_of(way, sm); })};
  }
  const Key key = key_for(way, k);
  const bool asks_room = !way.rule("selection") || reads(way, "selection", "room");
  const int chosen = first_of(sms, asks_room, key, [&](int sm) { return fits(way, sm, k); });
  if (chosen < 0) return chosen;
  if (numbers_by_gpc(way)) latest_key_ = key_of_round(way, k)(chosen);
  moved_to(way, chosen);
  if (reads(way, "selection", "picks")) ++outlasting_.cursors.picks;
  return chosen;
}

/// The same as rounds compare it: SMs that a cursor goes through are equals.
Scheduler::Key Scheduler::key_of_round(Way& way, int k) {
  const bool has_cursor = way.value("selection")->named >= 0 && reads(way, "selection", "turn");
  if (has_cursor) return [](int) { return Formula::Key(); };
  return key_for(way, k);
}

/// Whether one more block of the kernel could go to an SM of the key that its latest one's had.
bool Scheduler::would_go_on(Way& way, int k) {
  const Key key = key_of_round(way, k);
  return std::ranges::any_of(numbers_below(topology_->device.sms), [&](int sm) {
    return fits(way, sm, k) && key(sm) == kernels_[k].key;
  });
}

/// The largest share of what the SM has, with a block of the kernel. (Two shares differ by more
/// than a double does.)
double Scheduler::usage(Way& way, int sm, int k) const {
  const Device& device = topology_->device;
  const double largest = device.shared_configs.back();
  return std::max({(at(sm).blocks + 1.0) / device.max_blocks_per_sm,
                   (at(sm).warps + kernel(k).warps() + 0.0) / device.max_warps_per_sm,
                   (way.registers(at(sm), k) + 0.0) / device.registers_per_sm,
                   largest == 0 ? 0 : way.shared_bytes(at(sm), k) / largest});
}

}  // namespace cuvier::verify
