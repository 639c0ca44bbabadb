#include "verify/scheduler.h"

#include <algorithm>

namespace cuvier::verify {
namespace {

std::shared_ptr<const std::vector<int>> places_of(const std::vector<std::vector<int>>& groups,
                                                  int sms) {
  std::vector<int> group_of_sm(sms, -1);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const int sm : groups[group]) group_of_sm[sm] = static_cast<int>(group);
  }
  return std::make_shared<const std::vector<int>>(group_of_sm);
}

}  // namespace

std::vector<int> axes_of(Rule rule) {
  if (rule == Rule::waiting) {
    return {axis_of<"queue">(), axis_of<"local_memory">(), axis_of<"cursor_reset">()};
  }
  return {axis_of<"dispatch_batch">(), axis_of<"batch_margin">(), axis_of<"batch_lag">(),
          axis_of<"pairs_in_flight">()};
}

Scheduler::Scheduler(const Device& device, const Probe& probe, const Mechanism& of,
                     const Outlasting& before, const std::vector<int>& learned)
    : mechanism(of), device_(&device), probe_(&probe), learned_(&learned) {
  using Groups = std::vector<std::vector<int>>;
  tpcs_ = std::make_shared<const Groups>(groups_by(device.tpc_of_sm));
  gpcs_ = std::make_shared<const Groups>(groups_by(device.gpc_of_sm));
  tpc_of_sm_ = places_of(*tpcs_, device.sms);
  gpc_of_sm_ = places_of(*gpcs_, device.sms);
  state_.kernels.resize(probe.kernels.size());
  state_.on_sm.resize(device.sms);
  state_.warps.assign(device.sms, 0);
  state_.first_on_sm.assign(device.sms, -1);
  state_.first_on_tpc.assign(tpcs_->size(), -1);
  state_.blocks_on_tpc.assign(tpcs_->size(), 0);
  state_.outlasting = before;
}

const SmOrder& Scheduler::order() {
  if (!order_) order_ = std::make_shared<const SmOrder>(order_of(mechanism, *device_, *learned_));
  return *order_;
}

void Scheduler::launch(int k) {
  state_.waiting.push_back(k);
  admit();
}

/// Kernels that may join the queue do. Whether any does.
bool Scheduler::admit() {
  std::vector<int> still;
  const auto runs = [&](std::size_t k) {
    return state_.kernels[k].joined && !complete(static_cast<int>(k));
  };
  int running = 0;
  for (std::size_t k = 0; k < state_.kernels.size(); ++k) running += runs(k);
  bool any = false;
  for (const int k : state_.waiting) {
    // Kernels of its stream that were launched before it: those that wait still come before it
    // here.
    bool follows = false;
    for (std::size_t other = 0; other < state_.kernels.size() && !kernel(k).stream.empty();
         ++other) {
      if (kernel(static_cast<int>(other)).stream == kernel(k).stream && runs(other)) follows = true;
    }
    for (const int other : still) {
      if (!kernel(k).stream.empty() && kernel(other).stream == kernel(k).stream) follows = true;
    }
    if (follows || running >= device_->max_resident_kernels) {
      still.push_back(k);
      continue;
    }
    state_.kernels[k].joined = true;
    state_.kernels[k].before = state_.joined++;
    state_.queue.push_back(k);
    ++running;
    any = true;
  }
  state_.waiting = still;
  return any;
}

std::vector<std::vector<int>> Scheduler::release(const Action& action) {
  std::vector<std::vector<int>> leaving(device_->sms);
  for (int sm = 0; sm < device_->sms; ++sm) {
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
      ++state_.kernels[k].exited;
      state_.warps[sm] -= kernel(k).warps();
      --state_.resident;
      --state_.blocks_on_tpc[(*tpc_of_sm_)[sm]];
      on_sm.erase(on_sm.begin() + *place);
    }
    if (on_sm.empty()) state_.first_on_sm[sm] = -1;
  }
  for (std::size_t tpc = 0; tpc < tpcs_->size(); ++tpc) {
    if (state_.blocks_on_tpc[tpc] == 0) state_.first_on_tpc[tpc] = -1;
  }
  if (device_is_idle()) {
    state_.first_on_device = -1;
    state_.cluster_gpc = state_.block_gpc = -1;
  }
  return leaving;
}

int Scheduler::configured_by(int sm, int scope) const {
  switch (scope) {
    case value_of<"config_scope", "sm">():
      return state_.first_on_sm[sm];
    case value_of<"config_scope", "tpc">():
      return state_.first_on_tpc[(*tpc_of_sm_)[sm]];
    default:
      return state_.first_on_device;
  }
}

/// By priority, then as they joined.
std::vector<int> Scheduler::queue_in_order() const {
  std::vector<int> queue = state_.queue;
  const auto priority = [&](int k) { return kernel(k).priority; };
  const bool differ =
      std::ranges::any_of(queue, [&](int k) { return priority(k) != priority(queue.front()); });
  if (!differ && mechanism.is_named<"priority">()) return queue;
  if (const Formula* formula = mechanism.formula<"priority">()) {
    std::ranges::stable_sort(queue, {}, [&](int k) {
      const Kernel& of = kernel(k);
      const KernelState& state = state_.kernels[k];
      return formula->tuple({of.priority, of.blocks, of.warps(), of.registers, of.shared,
                             state.placed, state.before});
    });
  } else if (mechanism.is<"priority", "respected">()) {
    std::ranges::stable_sort(queue, {}, priority);
  }
  return queue;
}

/// Whether a kernel is tried while the head of the queue waits.
bool Scheduler::tried_behind(Questions& ask, int head, int k) const {
  return ask.says(Rule::waiting, [&](const Mechanism& rule) -> int {
    if (const Formula* formula = rule.formula<"queue">()) {
      return formula->condition({left(head), kernel(head).blocks, kernel(head).warps(),
                                 kernel(head).priority, left(k), kernel(k).blocks,
                                 kernel(k).warps(), kernel(k).priority});
    }
    return rule.is<"queue", "skip_ahead">();
  });
}

Placed Scheduler::advance(Questions& ask, std::vector<Start>& starts) {
  if (const int k = state_.second_of; k >= 0) {
    state_.second_of = -1;
    Placed placed;
    const int sm = state_.kernels[k].latest_sm;
    if (fits(ask, sm, k)) {
      take_place(k, sm);
      ++state_.kernels[k].in_flight.back().blocks;
      placed = {k, {sm}};
    }
    pick_ends(ask, k, starts);
    if (placed.kernel >= 0) return placed;
  }
  do {
    bool held_up = false;
    const std::vector<int> queue = queue_in_order();
    for (const int k : queue) {
      if (held_up && !tried_behind(ask, queue.front(), k)) continue;
      Placed placed;
      if (attempt(ask, k, placed)) {
        if (kernel(k).cluster == 0 && pairs(ask, k)) {
          state_.second_of = k;
        } else {
          pick_ends(ask, k, starts);
        }
        return placed;
      }
      give_all(k, starts);
      // Nothing is read where nobody is behind it.
      held_up = held_up || (k != queue.back() &&
                            !(kernel(k).cluster > 0 && mechanism.is<"cluster_wait", "passed">()));
    }
  } while (admit());
  return {};
}

/// Section 1: whether the block need not wait for local memory.
bool Scheduler::local_memory_lets(Questions& ask, int k) {
  Outlasting& memory = state_.outlasting;
  const int local = kernel(k).local;
  if (device_is_idle()) {
    memory.grown = std::max(memory.grown, local);
    memory.latest = local;
    return true;
  }
  return ask.says(Rule::waiting, [&](const Mechanism& rule) -> int {
    if (const Formula* formula = rule.formula<"local_memory">()) {
      return !formula->condition({local, memory.grown, memory.latest});
    }
    if (rule.is<"local_memory", "grow_when_idle">()) return local <= memory.grown;
    return rule.is<"local_memory", "ignored">() || local <= memory.latest;
  });
}

/// Before a block of the kernel is tried: cursors return to their start, perhaps.
void Scheduler::reset_cursors(Questions& ask, int k) {
  Outlasting& memory = state_.outlasting;
  if (memory.cursors.empty() && memory.group_cursor == 0) return;
  const bool begins = state_.kernels[k].placed == 0 && kernel(k).cluster == 0;
  const bool resets = ask.says(Rule::waiting, [&](const Mechanism& rule) -> int {
    return rule.is<"cursor_reset", "kernel">()
               ? begins
               : rule.is<"cursor_reset", "device_idle">() && device_is_idle();
  });
  if (!resets) return;
  memory.cursors.clear();
  memory.group_cursor = 0;
}

/// Tries to place the kernel's next block, or cluster.
bool Scheduler::attempt(Questions& ask, int k, Placed& placed) {
  KernelState& state = state_.kernels[k];
  reset_cursors(ask, k);
  if (kernel(k).cluster > 0 && state.placed == 0) state_.cluster_gpc_kernel = -1;
  if (!local_memory_lets(ask, k)) return false;
  if (kernel(k).cluster > 0) {
    placed = {k, choose_cluster(ask, k)};
    if (placed.sms.empty()) return false;
    state_.turn = {};
    for (const int sm : placed.sms) {
      state.left_before.push_back(left(k));
      take_place(k, sm);
      state.in_flight.push_back({sm, 1});
    }
    return true;
  }
  const int sm = choose(ask, k);
  if (sm < 0) return false;
  if (state_.turn.kernel != k) state_.turn = {};
  state.left_before.push_back(left(k));
  take_place(k, sm);
  state.in_flight.push_back({sm, 1});
  placed = {k, {sm}};
  return true;
}

/// A block is on an SM from now on.
void Scheduler::take_place(int k, int sm) {
  KernelState& state = state_.kernels[k];
  const int tpc = (*tpc_of_sm_)[sm];
  if (state_.first_on_sm[sm] < 0) state_.first_on_sm[sm] = k;
  if (state_.first_on_tpc[tpc] < 0) state_.first_on_tpc[tpc] = k;
  if (state_.first_on_device < 0) state_.first_on_device = k;
  ++state_.blocks_on_tpc[tpc];
  ++state_.resident;
  state_.warps[sm] += kernel(k).warps();
  state_.on_sm[sm].push_back({k, -1});
  state_.block_gpc = (*gpc_of_sm_).empty() ? -1 : (*gpc_of_sm_)[sm];
  state.latest_sm = sm;
  ++state.placed;
  if (left(k) == 0) std::erase(state_.queue, k);
}

bool Scheduler::fits(Questions& ask, int sm, int k) const {
  const int blocks = static_cast<int>(state_.on_sm[sm].size());
  return blocks < device_->max_blocks_per_sm && lets_in(sm, k, 0) && ask.fits(sm, k);
}

/// Whether the SM takes a block that fits, behind so many more of them (`admission`).
bool Scheduler::lets_in(int sm, int k, int more) const {
  const Formula* formula = mechanism.formula<"admission">();
  if (!formula) return true;
  const Kernel& of = kernel(k);
  const long blocks = static_cast<long>(state_.on_sm[sm].size()) + more;
  return formula->condition({blocks, state_.warps[sm] + static_cast<long>(more) * of.warps(),
                             of.priority, of.warps(), of.registers, of.shared, sm,
                             std::ranges::count(state_.on_sm[sm], k, &Resident::kernel) + more,
                             state_.blocks_on_tpc[(*tpc_of_sm_)[sm]] + more,
                             state_.resident + more});
}

int Scheduler::room(Questions& ask, int sm, int k) const {
  const int blocks = static_cast<int>(state_.on_sm[sm].size());
  return ask.room(sm, k, device_->max_blocks_per_sm - blocks);
}

}  // namespace cuvier::verify
