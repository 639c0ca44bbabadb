// How many blocks a pick places, and which: scheduler.md, 4, dispatch_batch and pairs_in_flight.

#include <algorithm>

#include "verify/scheduler.h"

namespace cuvier::verify {

/// Whether the kernel's latest pick places a second block, if that fits. One is placed already.
bool Scheduler::pairs(Questions& ask, int k) const {
  const std::vector<int>& left_before = state_.kernels[k].left_before;
  if (left_before.back() <= 1) return false;
  const int picks = static_cast<int>(left_before.size());
  return ask.says(Rule::batches, [&](const Mechanism& rule) -> int {
    const int lag = rule.number<"batch_lag">();
    const int margin = rule.number<"batch_margin">();
    const int earlier = left_before[std::max(0, picks - 1 - lag)];
    if (const Formula* formula = rule.formula<"dispatch_batch">()) {
      return formula->condition({earlier, kernel(k).blocks, device_->sms, margin});
    }
    return rule.is<"dispatch_batch", "pair">() && earlier > 2 * device_->sms + margin;
  });
}

/// How many of the kernel's picks may be in flight while this is the latest of them; the first is
/// 1.
int Scheduler::most_in_flight(Questions& ask, int k, int pick) const {
  if (kernel(k).blocks < 2 * device_->sms) return 1;  // none joins others
  return ask.says(Rule::batches, [&](const Mechanism& rule) -> int {
    if (!rule.formula<"dispatch_batch">() && rule.is<"dispatch_batch", "single">()) return 1;
    if (const Formula* formula = rule.formula<"pairs_in_flight">()) {
      return static_cast<int>(std::clamp(formula->number({pick}), 1L, 64L));
    }
    return rule.is<"pairs_in_flight", "two">() && pick >= 4 ? 2 : 1;
  });
}

/// The kernel's latest pick, the last of those in flight, has taken all its places. Picks give out
/// blocks until it may be among them.
void Scheduler::pick_ends(Questions& ask, int k, std::vector<Start>& starts) {
  KernelState& state = state_.kernels[k];
  const int number = static_cast<int>(state.left_before.size());
  const Pick pick = state.in_flight.back();
  if (kernel(k).cluster > 0) {
    give_all(k, starts);
    return;
  }
  state.in_flight.pop_back();
  const bool joins_others = state.left_before.back() >= 2 * device_->sms;
  const auto must_wait = [&] {
    if (state.in_flight.empty()) return false;
    return !joins_others ||
           static_cast<int>(state.in_flight.size()) >= most_in_flight(ask, k, number - 1) ||
           std::ranges::count(state.in_flight, pick.sm, &Pick::sm) > 0;
  };
  while (must_wait()) give_one(k, starts);
  state.in_flight.push_back(pick);
  if (left(k) == 0 || most_in_flight(ask, k, number) == 1) give_all(k, starts);
}

/// The first in flight gives out a block, and is the last from now on, or leaves.
void Scheduler::give_one(int k, std::vector<Start>& starts) {
  KernelState& state = state_.kernels[k];
  Pick pick = state.in_flight.front();
  state.in_flight.erase(state.in_flight.begin());
  auto& on_sm = state_.on_sm[pick.sm];
  const auto place = std::ranges::find(on_sm, Resident{k, -1});
  place->block = state.started++;
  starts.push_back({k, place->block, pick.sm, static_cast<int>(place - on_sm.begin())});
  if (--pick.blocks > 0) state.in_flight.push_back(pick);
}

void Scheduler::give_all(int k, std::vector<Start>& starts) {
  while (!state_.kernels[k].in_flight.empty()) give_one(k, starts);
}

}  // namespace cuvier::verify
