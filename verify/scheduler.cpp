#include "verify/scheduler.h"

namespace cuvier::verify {

Scheduler::Scheduler(const Topology& topology, const Recording& recording, Outlasting before)
    : topology_(&topology),
      recording_(&recording),
      kernels_(recording.probe.kernels.size()),
      outlasting_(std::move(before)),
      marks_(outlasting_.sms.size()) {
  forget_emptied();
}

void Scheduler::forget_emptied() {
  for (auto& domain : outlasting_.domains) domain.emptied = false;
}

void Scheduler::act(const Action& action, Tables& tables) {
  ++actions_;
  forget_emptied();
  if (action.launch >= 0) {
    waiting_.push_back(action.launch);
    launched_.push_back(action.launch);
    has_launched_ = true;
  } else {
    release(action.releases, tables);
  }
  for (KernelState& each : kernels_) each.started_before = each.started;
}

/// Kernels that may join the queue do. Whether any does.
bool Scheduler::admit(Way& way) {
  const std::vector<int> all = numbers_below(kernels_.size());
  auto running = std::ranges::count_if(all, [&](int k) { return runs(k); });
  std::vector<int> still;  // those that wait come before later ones of their streams
  for (const int k : waiting_) {
    const auto comes_before = [&](int other) {
      return !kernel(k).stream.empty() && kernel(other).stream == kernel(k).stream &&
             (runs(other) || std::ranges::count(still, other) > 0);
    };
    const auto is_ahead = [&](int other) { return on_one_connection(way, k, other); };
    if (std::ranges::any_of(all, comes_before) || std::ranges::any_of(still, is_ahead) ||
        running >= topology_->device.max_resident_kernels) {
      still.push_back(k);
      continue;
    }
    std::set<int> taken;
    for (const int other : all) {
      if (runs(other)) taken.insert(kernels_[other].slot);
    }
    while (taken.contains(kernels_[k].slot)) ++kernels_[k].slot;
    kernels_[k].joined = true;
    kernels_[k].before = joined_++;
    kernels_[k].joined_at = actions_;
    queue_.push_back(k);
    ++running;
  }
  return std::exchange(waiting_, still).size() > still.size();
}

/// Whether two kernels were launched through one connection.
bool Scheduler::on_one_connection(Way& way, int k, int other) const {
  const auto connection = [&](const Mechanism& mechanism, int of) {
    std::vector<std::string> streams;
    long before = 0;
    for (const int each : launched_) {
      const std::string& stream = kernel(each).stream;
      const auto known = stream.empty() ? streams.end() : std::ranges::find(streams, stream);
      const long number = known - streams.begin();
      if (known == streams.end()) streams.push_back(stream);
      if (each == of)
        return mechanism.number("connection", {number, before, kernel(of).priority}, -(1 << 28),
                                1 << 28);
      ++before;
    }
    return -1L;
  };
  return way.says("connection", [&](const Mechanism& mechanism) {
    return connection(mechanism, k) == connection(mechanism, other);
  });
}

void Scheduler::release(const std::vector<Action::Release>& releases, Tables& tables) {
  std::vector<int> blocks(outlasting_.sms.size());  // so far
  std::vector<std::vector<int>> leaving(blocks.size());
  std::erase_if(resident_, [&](const Resident& resident) {
    const auto& [sm, k, block] = resident;
    const int place = blocks[sm]++;
    const auto lets_go = [&](const Action::Release& each) {
      return each.kernel == resident.kernel &&
             (each.all || std::ranges::count(each.blocks, resident.block) > 0);
    };
    if (std::ranges::none_of(releases, lets_go)) return false;
    leaving[sm].push_back(place);
    ++kernels_[k].exited;
    ++gone_[{sm, kernels_[k].before, k}];
    outlasting_.sms[sm].warps -= kernel(k).warps();
    return true;
  });
  std::vector<int>& freed = outlasting_.cursors.freed;
  if (tables.notes_freed) freed.resize(leaving.size(), kNeverFreed);
  for (int& each : freed) each = std::min(each + 1, kNeverFreed);
  for (std::size_t i = 0; i < leaving.size(); ++i) {
    if (leaving[i].empty()) continue;
    if (!freed.empty()) freed[i] = 0;
    Sm& sm = outlasting_.sms[i];
    sm.file = tables.warps.leave(sm.file, leaving[i]);
    sm.memory = tables.shared.leave(sm.memory, leaving[i]);
    sm.blocks -= static_cast<int>(leaving[i].size());
    leave_domains(tables.configs, static_cast<int>(i));
  }
  if (!resident_.empty()) return;
  cluster_gpc_ = block_gpc_ = -1;
  std::ranges::fill(marks_, 0);
  gone_.clear();
  for (Sm& sm : outlasting_.sms) sm.file = tables.warps.device_idle(sm.file);
}

/// By priority, then as they joined.
std::vector<int> Scheduler::queue_in_order(Way& way) const {
  if (queue_.size() < 2) return queue_;
  const int slots = topology_->device.max_resident_kernels;
  const int latest_slot = latest_ < 0 ? -1 : kernels_[latest_].slot;
  return way.says("priority", [&](const Mechanism& mechanism) {
    return by_key(queue_, [&](int k) {
      const Kernel& of = kernel(k);
      return mechanism.rule("priority")
          ->tuple({of.priority, of.blocks, of.warps(), of.registers, of.shared, kernels_[k].placed,
                   kernels_[k].before, resident(k), of.local, actions_ - kernels_[k].joined_at,
                   (kernels_[k].slot - latest_slot - 1 + slots) % slots, latest_ == k ? streak_ : 0,
                   latest_ < 0 || kernels_[k].before > kernels_[latest_].before, head_ == k});
    });
  });
}

/// Whether a kernel, behind so many, is tried while the head of the queue waits.
bool Scheduler::tried_behind(Way& way, int head, int k, int behind) const {
  return way.says("queue", [&](const Mechanism& mechanism) {
    return mechanism.rule("queue")->condition(
        {left(head), kernel(head).blocks, kernel(head).warps(), kernel(head).priority, left(k),
         kernel(k).blocks, kernel(k).warps(), kernel(k).priority, kernel(k).registers,
         kernel(k).shared, kernel(head).registers, kernel(head).shared, behind});
  });
}

/// Where kernels behind it are tried while the next block of this one waits.
Scheduler::Open Scheduler::left_open_by(Way& way, int k) const {
  if (kernel(k).cluster == 0) return Open::none;
  if (way.is("cluster_wait=passed")) return Open::all;
  const bool could_be_lone = kernel(k).cluster <= topology_->sms_of_lone_tpc;
  return could_be_lone || way.is("cluster_wait=holds") ? Open::none : Open::lone_tpcs;
}

bool Scheduler::advance(Way& way, std::vector<Start>& starts) {
  if (std::exchange(has_launched_, false)) admit(way);
  for (const auto& [from, blocks] : std::exchange(gone_, {})) {
    if (way.tables().notes_marks) mark(way, from.sm, from.kernel, -blocks);
  }
  do {
    Open open = Open::all;
    const std::vector<int> queue = queue_in_order(way);
    if (way.tables().notes_turns && !queue.empty()) head_ = queue.front();
    for (int behind = 0; behind < std::ssize(queue); ++behind) {
      const int k = queue[behind];
      const bool on_all = open == Open::all || tried_behind(way, queue.front(), k, behind);
      if (!on_all && open == Open::none) continue;
      on_lone_tpcs_ = !on_all;
      const bool goes_on = attempt(way, k);
      if (goes_on) pick_ends(way, k, starts);
      on_lone_tpcs_ = false;
      if (goes_on) {
        if (left(k) == 0) kernels_[k].forget_picks();
        return true;
      }
      kernels_[k].pass = {};
      give_all(k, starts);
      // Nothing is read where nobody is behind it.
      if (k != queue.back()) open = std::min(open, left_open_by(way, k));
    }
    // Whose picks are in flight may not be tried any more.
    std::vector<int> as_joined = numbers_below(kernels_.size());
    std::ranges::stable_sort(as_joined, {}, [&](int k) { return kernels_[k].before; });
    for (const int k : as_joined) give_all(k, starts);
  } while (admit(way));
  return false;
}

/// Section 1: whether the block need not wait for local memory.
bool Scheduler::local_memory_lets(Way& way, int k) {
  const int local = kernel(k).local;
  if (resident_.empty()) {
    outlasting_.grown = std::max(outlasting_.grown, local);
    outlasting_.latest = local;
    return true;
  }
  constexpr long most = 1L << 28;
  long users = 0;
  long held = 0;
  for (int each = 0; each < std::ssize(kernels_); ++each) {
    const Kernel& other = kernel(each);
    users += each != k && other.local > 0 && resident(each) > 0;
    held += long{other.local} * other.warps() * resident(each);
  }
  const bool lets = !way.says("local_memory", [&](const Mechanism& mechanism) {
    return mechanism.rule("local_memory")
        ->condition({local, outlasting_.grown, outlasting_.latest, users,
                     std::min(long{local} * kernel(k).warps(), most), std::min(held, most)});
  });
  // Whoever a formula lets go has what it needs from then on.
  const auto is_formula = [](const Mechanism& mechanism) {
    return mechanism.is_formula("local_memory");
  };
  if (lets && local > outlasting_.grown && way.says("local_memory", is_formula)) {
    outlasting_.grown = local;
  }
  return lets;
}

/// Before a block of the kernel is tried: cursors return to their start, perhaps.
void Scheduler::reset_cursors(Way& way, int k) {
  if (outlasting_.cursors == Cursors{}) return;
  const Kernel& of = kernel(k);
  const bool resets = way.says("cursor_reset", [&](const Mechanism& mechanism) {
    return mechanism.rule("cursor_reset")
        ->condition({kernels_[k].placed, left(k), of.warps(), of.priority, of.cluster,
                     kernels_[k].before, std::ssize(resident_), topology_->device.sms});
  });
  if (resets) outlasting_.cursors = {};
}

/// Tries to place the kernel's next pick, or cluster.
bool Scheduler::attempt(Way& way, int k) {
  KernelState& state = kernels_[k];
  const bool in_clusters = kernel(k).cluster > 0;
  reset_cursors(way, k);
  if (in_clusters && state.placed == 0) cluster_gpc_kernel_ = -1;
  if (!local_memory_lets(way, k)) return false;
  const std::vector<int> sms = in_clusters ? choose_cluster(way, k) : std::vector{choose(way, k)};
  if (sms.empty() || sms.front() < 0) return false;
  if (in_clusters || turn_.kernel != k) turn_ = {};
  for (const int sm : sms) {
    state.left_before.push_back(left(k));
    const int round = round_of(way, k);
    take_place(way, k, sm);
    state.in_flight.push_back({sm, 1, round, state.pass.number});
  }
  for (int more = in_clusters ? 0 : pick_size(way, k) - 1;
       more > 0 && left(k) > 0 && fits(way, sms.front(), k); --more) {
    take_place(way, k, sms.front());
    ++state.in_flight.back().blocks;
  }
  if (state.in_flight.back().round > 0 && left(k) == 0) state.goes_on = would_go_on(way, k);
  return true;
}

/// A block is on an SM from now on.
void Scheduler::take_place(Way& way, int k, int sm) {
  Sm& of = outlasting_.sms[sm];
  const Domains before = around(sm);
  of.file = way.tables().warps.place(of.file, k, {});
  of.memory = way.tables().shared.place(of.memory, k, before);
  configure(way.tables().configs, sm, k, before);
  ++of.blocks;
  of.warps += kernel(k).warps();
  if (way.tables().notes_received) {
    std::vector<int>& received = outlasting_.cursors.received;
    received.resize(outlasting_.sms.size());
    received[sm] = std::min(received[sm] + kernel(k).warps(), kMostReceived);
  }
  resident_.insert(residents_on(sm).end(), {sm, k});
  if (way.tables().notes_marks) mark(way, sm, k, 1);
  block_gpc_ = topology_->gpcs.count() > 0 ? topology_->gpcs.of_sm[sm] : -1;
  kernels_[k].latest_sm = sm;
  if (kernels_[k].first_sm < 0) kernels_[k].first_sm = sm;
  if (way.tables().notes_turns) {
    streak_ = latest_ == k ? streak_ + 1 : 1;
    latest_ = k;
  }
  ++kernels_[k].placed;
  if (left(k) == 0) std::erase(queue_, k);
}

/// An SM has so many more blocks of a kernel: what stands for each SM from now on (`mark`).
void Scheduler::mark(Way& way, int at_sm, int k, int more) {
  const Formula& rule = *way.rule("mark");
  const int most = std::ranges::max(marks_);
  const long marked = this->marked();
  const Kernel& of = kernel(k);
  for (int sm = 0; sm < std::ssize(marks_); ++sm) {
    const bool is_here = sm == at_sm;
    const long after = rule.number(
        {marks_[sm], is_here && more > 0, is_here ? std::max(0, -more) : 0, of.warps(),
         at(sm).warps, at(sm).blocks, sm, most, marked, std::ssize(marks_), of.registers, of.shared,
         of.priority, kernels_[k].before, at_sm, more, std::ssize(resident_)});
    marks_[sm] = static_cast<int>(std::clamp(after, 0L, kMostMark));
  }
}

/// A block comes to an SM with such domains around it.
void Scheduler::configure(ConfigTable& table, int sm, int k, const Domains& before) {
  int domain = 0;
  for (const int at : domains_of(sm)) {
    outlasting_.domains[at] = {false, false, table.with_block(k, domain++, before)};
  }
}

/// Blocks left an SM: so did those of the domains around it that are idle now.
void Scheduler::leave_domains(ConfigTable& table, int sm) {
  const std::array<bool, 3> idle = {blocks_on(tpc_of(sm)) == 0, at(sm).blocks == 0,
                                    resident_.empty()};
  int domain = 0;
  for (const int at : domains_of(sm)) {
    auto& of = outlasting_.domains[at];
    if (idle[domain++]) of = {true, true, table.left(of.config)};
  }
}

bool Scheduler::fits(Way& way, int sm, int k) const {
  return is_open(sm) && free_slots(sm) > 0 && lets_in(way, sm, k, 0) &&
         way.several(at(sm), k, around(sm), 1) > 0;
}

/// Whether the SM takes a block that fits, behind so many more of them (`admission`).
bool Scheduler::lets_in(Way& way, int sm, int k, int more) const {
  const Formula& rule = *way.rule("admission");
  if (rule.is_constant()) return rule.condition({});
  const Kernel& of = kernel(k);
  int urgent = more > 0 ? of.priority : kNobodyUrgent;
  int device_urgent = urgent;
  int threads = more * of.threads;
  long clustered = of.cluster > 0 ? more : 0;
  std::set<int> own_sms;
  if (more > 0) own_sms.insert(sm);
  std::set<std::pair<int, int>> clusters;  // on its GPC: whose, and which
  for (const auto& [on, whose, block] : resident_) {
    const Kernel& other = kernel(whose);
    device_urgent = std::min(device_urgent, other.priority);
    if (on == sm) {
      urgent = std::min(urgent, other.priority);
      threads += other.threads;
    }
    if (whose == k) own_sms.insert(on);
    if (other.cluster == 0) continue;
    clustered += topology_->tpcs.of_sm[on] == topology_->tpcs.of_sm[sm];
    if (topology_->gpcs.of_sm[on] == topology_->gpcs.of_sm[sm]) {
      clusters.insert({whose, block < 0 ? -1 : block / other.cluster});  // one is not known yet
    }
  }
  const auto [gpc, place_in_gpc, sms_of_gpc] = topology_->in_gpc(sm);
  return rule.condition(
      {at(sm).blocks + more, at(sm).warps + more * of.warps(), of.priority, of.warps(),
       of.registers, of.shared, sm, own_blocks_on(sm, k) + more, blocks_on(tpc_of(sm)) + more,
       std::ssize(resident_) + more, kernels_beside(sm, k),
       // own_on_device and so on
       resident(k) + more, kernels_[k].before, urgent, of.threads, threads, of.local, of.blocks,
       topology_->device.sms, marks_[sm], std::ssize(own_sms),
       // marked and so on
       marked(), of.cluster, blocks_on(topology_->mates(topology_->gpcs, sm)) + more, gpc,
       place_in_gpc, sms_of_gpc, clustered, std::ssize(clusters), device_urgent,
       kernels_[k].placed + more});
}

}  // namespace cuvier::verify
