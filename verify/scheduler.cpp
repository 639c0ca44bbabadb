#include "verify/scheduler.h"

namespace cuvier::verify {

Scheduler::Scheduler(const Topology& topology, const Probe& probe, const Outlasting& before)
    : topology_(&topology), probe_(&probe) {
  const int sms = topology.device.sms;
  state_.kernels.resize(probe.kernels.size());
  state_.on_sm.resize(sms);
  state_.warps.assign(sms, 0);
  state_.first_on_sm.assign(sms, -1);
  state_.first_on_tpc.assign(topology.tpcs.count(), -1);
  state_.blocks_on_tpc.assign(topology.tpcs.count(), 0);
  state_.outlasting = before;
}

void Scheduler::launch(int k) {
  state_.waiting.push_back(k);
  admit();
}

/// Kernels that may join the queue do. Whether any does.
bool Scheduler::admit() {
  int running = 0;
  for (int k = 0; k < static_cast<int>(state_.kernels.size()); ++k) running += runs(k);
  std::vector<int> still;  // those that wait come before later ones of their streams
  for (const int k : state_.waiting) {
    const auto comes_before = [&](int other) {
      return !kernel(k).stream.empty() && kernel(other).stream == kernel(k).stream &&
             (runs(other) || std::ranges::count(still, other) > 0);
    };
    bool follows = false;
    for (int other = 0; other < static_cast<int>(state_.kernels.size()); ++other) {
      follows = follows || comes_before(other);
    }
    if (follows || running >= topology_->device.max_resident_kernels) {
      still.push_back(k);
      continue;
    }
    state_.kernels[k].joined = true;
    state_.kernels[k].before = state_.joined++;
    state_.queue.push_back(k);
    ++running;
  }
  return std::exchange(state_.waiting, still).size() > still.size();
}

std::vector<std::vector<int>> Scheduler::release(const Action& action) {
  std::vector<std::vector<int>> leaving(state_.on_sm.size());
  for (std::size_t sm = 0; sm < leaving.size(); ++sm) {
    auto& on_sm = state_.on_sm[sm];
    for (std::size_t place = 0; place < on_sm.size(); ++place) {
      const auto lets_go = [&](const Action::Release& each) {
        return each.kernel == on_sm[place].kernel &&
               (each.all || std::ranges::count(each.blocks, on_sm[place].block) > 0);
      };
      if (std::ranges::any_of(action.releases, lets_go)) {
        leaving[sm].push_back(static_cast<int>(place));
      }
    }
    for (auto place = leaving[sm].rbegin(); place != leaving[sm].rend(); ++place) {
      const int k = on_sm[*place].kernel;
      const int tpc = topology_->tpcs.of_sm[sm];
      ++state_.kernels[k].exited;
      state_.warps[sm] -= kernel(k).warps();
      --state_.resident;
      if (--state_.blocks_on_tpc[tpc] == 0) state_.first_on_tpc[tpc] = -1;
      on_sm.erase(on_sm.begin() + *place);
    }
    if (on_sm.empty()) state_.first_on_sm[sm] = -1;
  }
  if (device_is_idle()) state_.first_on_device = state_.cluster_gpc = state_.block_gpc = -1;
  return leaving;
}

/// By priority, then as they joined.
std::vector<int> Scheduler::queue_in_order(Way& way) const {
  if (state_.queue.size() < 2) return state_.queue;
  return way.says("priority", [&](const Mechanism& mechanism) {
    return by_key(state_.queue, [&](int k) {
      const Kernel& of = kernel(k);
      const KernelState& state = state_.kernels[k];
      return mechanism.rule("priority")
          ->tuple({of.priority, of.blocks, of.warps(), of.registers, of.shared, state.placed,
                   state.before, state.placed - state.exited});
    });
  });
}

/// Whether a kernel is tried while the head of the queue waits.
bool Scheduler::tried_behind(Way& way, int head, int k) const {
  return way.says("queue", [&](const Mechanism& mechanism) {
    return mechanism.rule("queue")->condition(
        {left(head), kernel(head).blocks, kernel(head).warps(), kernel(head).priority, left(k),
         kernel(k).blocks, kernel(k).warps(), kernel(k).priority});
  });
}

Placed Scheduler::advance(Way& way, std::vector<Start>& starts) {
  if (const int k = state_.more_of; k >= 0) {
    Placed placed;
    const int sm = state_.kernels[k].latest_sm;
    if (fits(way, sm, k)) {
      take_place(k, sm);
      ++state_.kernels[k].in_flight.back().blocks;
      placed = {k, {sm}};
      if (--state_.more > 0 && left(k) > 0) return placed;
    }
    state_.more_of = -1;
    state_.more = 0;
    pick_ends(way, k, starts);
    if (placed.kernel >= 0) return placed;
  }
  do {
    bool held_up = false;
    const std::vector<int> queue = queue_in_order(way);
    for (const int k : queue) {
      if (held_up && !tried_behind(way, queue.front(), k)) continue;
      Placed placed;
      if (attempt(way, k, placed)) {
        const int more = kernel(k).cluster > 0 ? 0 : pick_size(way, k) - 1;
        if (more > 0 && left(k) > 0) {
          state_.more_of = k;
          state_.more = more;
        } else {
          pick_ends(way, k, starts);
        }
        return placed;
      }
      give_all(k, starts);
      // Nothing is read where nobody is behind it.
      held_up = held_up ||
                (k != queue.back() && !(kernel(k).cluster > 0 && way.is("cluster_wait=passed")));
    }
    // Whose picks are in flight may not be tried any more.
    for (int k = 0; k < static_cast<int>(state_.kernels.size()); ++k) give_all(k, starts);
  } while (admit());
  return {};
}

/// Section 1: whether the block need not wait for local memory.
bool Scheduler::local_memory_lets(Way& way, int k) {
  Outlasting& memory = state_.outlasting;
  const int local = kernel(k).local;
  if (device_is_idle()) {
    memory.grown = std::max(memory.grown, local);
    memory.latest = local;
    return true;
  }
  return way.says("local_memory", [&](const Mechanism& mechanism) {
    return !mechanism.rule("local_memory")->condition({local, memory.grown, memory.latest});
  });
}

/// Before a block of the kernel is tried: cursors return to their start, perhaps.
void Scheduler::reset_cursors(Way& way, int k) {
  Outlasting& memory = state_.outlasting;
  if (memory.cursors.empty() && memory.group_cursor == 0 && memory.chosen.empty()) return;
  const bool begins = state_.kernels[k].placed == 0 && kernel(k).cluster == 0;
  const bool resets = way.says("cursor_reset", [&](const Mechanism& mechanism) {
    return mechanism.is("cursor_reset=kernel")
               ? begins
               : mechanism.is("cursor_reset=device_idle") && device_is_idle();
  });
  if (!resets) return;
  memory.cursors.clear();
  memory.chosen.clear();
  memory.group_cursor = 0;
}

/// Tries to place the kernel's next block, or cluster.
bool Scheduler::attempt(Way& way, int k, Placed& placed) {
  const bool in_clusters = kernel(k).cluster > 0;
  reset_cursors(way, k);
  if (in_clusters && state_.kernels[k].placed == 0) state_.cluster_gpc_kernel = -1;
  if (!local_memory_lets(way, k)) return false;
  placed = {k, {}};
  if (in_clusters) {
    placed.sms = choose_cluster(way, k);
  } else if (const int sm = choose(way, k); sm >= 0) {
    placed.sms = {sm};
  }
  if (placed.sms.empty()) return false;
  if (in_clusters || state_.turn.kernel != k) state_.turn = {};
  for (const int sm : placed.sms) {
    state_.kernels[k].left_before.push_back(left(k));
    take_place(k, sm);
    state_.kernels[k].in_flight.push_back({sm, 1});
  }
  return true;
}

/// A block is on an SM from now on.
void Scheduler::take_place(int k, int sm) {
  KernelState& state = state_.kernels[k];
  const int tpc = topology_->tpcs.of_sm[sm];
  for (int* first : {&state_.first_on_sm[sm], &state_.first_on_tpc[tpc], &state_.first_on_device}) {
    if (*first < 0) *first = k;
  }
  ++state_.blocks_on_tpc[tpc];
  ++state_.resident;
  state_.warps[sm] += kernel(k).warps();
  state_.on_sm[sm].push_back({k, -1});
  state_.block_gpc = topology_->gpcs.count() > 0 ? topology_->gpcs.of_sm[sm] : -1;
  state.latest_sm = sm;
  ++state.placed;
  if (left(k) == 0) std::erase(state_.queue, k);
}

bool Scheduler::fits(Way& way, int sm, int k) const {
  return blocks_on(sm) < topology_->device.max_blocks_per_sm && lets_in(way, sm, k, 0) &&
         way.fits(sm, k, configured_by(sm));
}

/// Whether the SM takes a block that fits, behind so many more of them (`admission`).
bool Scheduler::lets_in(Way& way, int sm, int k, int more) const {
  const Formula& rule = *way.rule("admission");
  if (rule.is_constant()) return rule.condition({});
  const Kernel& of = kernel(k);
  const KernelState& own = state_.kernels[k];
  return rule.condition({blocks_on(sm) + more, state_.warps[sm] + more * of.warps(), of.priority,
                         of.warps(), of.registers, of.shared, sm, own_blocks_on(sm, k) + more,
                         state_.blocks_on_tpc[topology_->tpcs.of_sm[sm]] + more,
                         state_.resident + more, kernels_beside(sm, k),
                         own.placed - own.exited + more});
}

}  // namespace cuvier::verify
