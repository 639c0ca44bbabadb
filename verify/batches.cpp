// How many blocks a pick places, and which: scheduler.md, 4, dispatch_batch and pairs_in_flight.

#include "verify/scheduler.h"

namespace cuvier::verify {
namespace {

/// How many picks may be in flight before any joined by drift.
long at_first(const Mechanism& mechanism, int picks) {
  return mechanism.number("pairs_in_flight", {picks}, 1, 64);
}

/// Then how many picks are in flight does not show.
bool is_single(const Mechanism& mechanism) {
  return mechanism.is("dispatch_batch=single") && mechanism.is("batch_size=one_or_two");
}

/// Whether it shows which of the kernel's blocks is where. Where it does not, picks may as well
/// join as soon as they can: the places are the same, and most is possible later.
bool are_told_apart(const Recording& recording, int k) {
  const auto are_told = [&](const auto& step) { return step[k].sms || step[k].slots; };
  const auto names_some = [&](const Action& action) {
    return std::ranges::any_of(action.releases,
                               [&](const auto& each) { return each.kernel == k && !each.all; });
  };
  return std::ranges::any_of(recording.known, are_told) ||
         std::ranges::any_of(recording.probe.script, names_some);
}

}  // namespace

bool has_drift(const Mechanism& mechanism) {
  return mechanism.is("pairs_in_flight=drifting") ||
         mechanism.is("pairs_in_flight=drifting_from_two");
}

/// How many blocks the kernel's latest pick places, as far as they fit. One is placed already.
int Scheduler::pick_size(Way& way, int k) {
  const long size = way.says("dispatch_batch", [&](const Mechanism& mechanism) {
    if (!mechanism.rule("batch_size")) return 0L;
    const Kernel& of = kernel(k);
    return mechanism.number(
        "batch_size",
        {kernels_[k].left_before.back(), of.blocks, of.warps(), topology_->device.sms, of.registers,
         of.shared, at(kernels_[k].latest_sm).blocks - 1},
        1, 64);
  });
  return size > 0 ? static_cast<int>(size) : pairs(way, k) ? 2 : 1;
}

/// Whether it is a pair by its count.
bool Scheduler::pairs(Way& way, int k) {
  KernelState& state = kernels_[k];
  const std::vector<int>& left_before = state.left_before;
  if (left_before.back() <= 1) return false;
  const int picks = static_cast<int>(left_before.size());
  enum { single, pair, either };
  const int number = way.says("dispatch_batch", [&](const Mechanism& mechanism) -> int {
    const auto are_many = [&](long picks_earlier) {
      return mechanism.rule("dispatch_batch")
          ->condition({left_before[std::max(0L, picks - 1 - picks_earlier)], kernel(k).blocks,
                       topology_->device.sms, mechanism.number("batch_margin", {})});
    };
    const long lag = mechanism.number("batch_lag", {});
    if (are_many(lag)) return pair;
    if (state.drifted == 0 || state.pairs_are_over) return single;
    for (long age = lag; age <= at_first(mechanism, picks) + state.drifted; ++age) {
      if (are_many(age)) return either;
    }
    return single;
  });
  if (number == pair || (number == either && way.happens())) return true;
  state.pairs_are_over = true;
  return false;
}

/// How many of the kernel's picks may be in flight while this is the latest of them; the first is
/// 1.
long Scheduler::most_in_flight(Way& way, int k, int pick) const {
  if (kernel(k).blocks < 2 * topology_->device.sms) return 1;  // none joins others
  return kernels_[k].drifted + way.says("dispatch_batch", [&](const Mechanism& mechanism) {
    return is_single(mechanism) ? 1 : at_first(mechanism, pick);
  });
}

/// Whether one more of the kernel's picks may join at any moment.
bool Scheduler::drifts(Way& way, int k) const {
  return kernel(k).blocks >= 2 * topology_->device.sms &&
         way.says("dispatch_batch", [](const Mechanism& mechanism) {
           return !is_single(mechanism) && has_drift(mechanism);
         });
}

/// The kernel's latest pick, the last of those in flight, has taken all its places. Picks give out
/// blocks until it may be among them.
void Scheduler::pick_ends(Way& way, int k, std::vector<Start>& starts) {
  KernelState& state = kernels_[k];
  const int number = static_cast<int>(state.left_before.size());
  const Pick pick = state.in_flight.back();
  if (kernel(k).cluster > 0) {
    while (state.in_flight.front().pass < pick.pass) give_pass(k, starts);
    if (pick.pass == 0 || left(k) == 0) give_all(k, starts);
    return;
  }
  if (pick.round >= 0) {
    sort_round(k);
    if (left(k) == 0) give_all(k, starts);
    return;
  }
  state.in_flight.pop_back();
  const bool joins_others = state.left_before.back() >= 2 * topology_->device.sms;
  const auto must_wait = [&] {
    if (state.in_flight.empty()) return false;
    if (!joins_others || std::ranges::count(state.in_flight, pick.sm, &Pick::sm) > 0) return true;
    return std::ssize(state.in_flight) >= most_in_flight(way, k, number - 1) &&
           !(drifts(way, k) && (!are_told_apart(*recording_, k) || way.happens()));
  };
  while (must_wait()) give_one(k, starts);
  state.in_flight.push_back(pick);
  const bool waits_for_others = left(k) > 0 && joins_others;
  if (waits_for_others && drifts(way, k)) {
    state.drifted += std::max(0L, std::ssize(state.in_flight) - most_in_flight(way, k, number));
  } else if (left(k) == 0 || most_in_flight(way, k, number) == 1) {
    give_all(k, starts);
  }
}

/// The first in flight gives out a block, and is the last from now on, or leaves.
void Scheduler::give_one(int k, std::vector<Start>& starts) {
  KernelState& state = kernels_[k];
  Pick pick = state.in_flight.front();
  state.in_flight.erase(state.in_flight.begin());
  const auto place = std::ranges::find(resident_, Resident{pick.sm, k, -1});
  place->block = state.started++;
  const auto first = std::ranges::find(resident_, pick.sm, &Resident::sm);
  starts.push_back({k, place->block, place->block - state.started_before, pick.sm,
                    static_cast<int>(place - first)});
  if (--pick.blocks > 0) state.in_flight.push_back(pick);
}

std::vector<Start> Scheduler::coming_starts() const {
  std::vector<Start> coming;
  for (int k = 0; k < std::ssize(kernels_); ++k) {
    const std::vector<Pick>& picks = kernels_[k].in_flight;
    if (!picks.empty() && picks.front().round >= 0) {
      add_coming_in_rounds(k, coming);
      continue;
    }
    if (!picks.empty() && picks.front().pass > 0) continue;  // others of the pass may be first
    int block = kernels_[k].started;
    for (const Pick& pick : picks) {
      coming.push_back({k, block, block - kernels_[k].started_before, pick.sm});
      ++block;
    }
  }
  return coming;
}

void Scheduler::give_all(int k, std::vector<Start>& starts) {
  while (!kernels_[k].in_flight.empty() && kernels_[k].in_flight.front().pass > 0) {
    give_pass(k, starts);
  }
  if (!kernels_[k].in_flight.empty() && kernels_[k].in_flight.front().round >= 0) {
    give_all_in_rounds(k, starts);
  }
  while (!kernels_[k].in_flight.empty()) give_one(k, starts);
}

}  // namespace cuvier::verify
