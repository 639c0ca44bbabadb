#include "uses/fits/orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "hypotheses/readings/prediction.h"
#include "hypotheses/scheduler/waits.h"

namespace cuvier {
namespace {

/// It need not say where blocks went, but may be told where one is.
class Silent : public Prediction {
 public:
  Silent(const Device& device, const Hypothesis& hypothesis)
      : Prediction(device, hypothesis), groups_(groups_of(device, hypothesis.get<Hierarchy>())) {}

  void placed(int, int, int, const Warps&) const {}

  /// Until told otherwise the next blocks go to this SM, if they fit there.
  void now_on(std::optional<int> sm) { sm_ = sm; }

  int pick(const auto& options, int of_groups, const Entry& entry, const auto& allowed) const {
    const auto is_there = [&](const auto& o) {
      return sm_ && o.eligible && o.id == (of_groups ? group_of(*sm_) : *sm_);
    };
    const auto there = std::ranges::find_if(options, is_there);
    return there == options.end() ? Prediction::pick(options, of_groups, entry, allowed)
                                  : there->id;
  }
  const auto& at_cursor(const auto& options, const Entry& entry) const {
    const auto there = std::ranges::find_if(options, [&](const auto& o) { return o.id == sm_; });
    return there == options.end() ? Prediction::at_cursor(options, entry) : *there;
  }

 private:
  int group_of(int sm) const {
    const auto has_it = [&](const auto& group) { return std::ranges::count(group, sm) > 0; };
    return static_cast<int>(std::ranges::find_if(groups_, has_it) - groups_.begin());
  }

  const std::vector<std::vector<int>> groups_;
  std::optional<int> sm_;
};

using State = Scheduler<Silent>;

/// All kernels, launched in any order, and behind them a kernel for each block that is resident:
/// each may be anywhere.
Probe all_of(const std::vector<Kernel>& kernels, const Beside& beside) {
  std::vector<Kernel> all = kernels;
  for (const Beside::Block& block : beside.blocks) {
    Kernel& kernel = all.emplace_back(beside.resident[block.kernel]);
    kernel.blocks = 1;
    kernel.cluster.reset();
  }
  for (Kernel& kernel : all) kernel.stream.reset();  // the order says what streams do
  return launch_all("", std::move(all));
}

/// The device, that many blocks of one kernel count as one kernel on it.
Device with_kernels_for(Device device, const Beside& beside) {
  device.max_resident_kernels +=
      static_cast<int>(beside.blocks.size()) - static_cast<int>(beside.resident.size());
  return device;
}

/// For each kernel the first that it is like, but for the name.
std::vector<int> kinds_of(std::vector<Kernel> kernels, const std::vector<Precedence>& precedences) {
  std::vector<int> kinds;
  for (int k = 0; k < static_cast<int>(kernels.size()); ++k) {
    kernels[k].name.clear();
    kernels[k].stream.reset();  // no two share one
    const auto alike = std::find(kernels.begin(), kernels.begin() + k, kernels[k]);
    const bool told_apart = std::ranges::any_of(
        precedences, [&](const Precedence& p) { return p.later == k || p.earlier == k; });
    kinds.push_back(told_apart ? k : static_cast<int>(alike - kernels.begin()));
  }
  return kinds;
}

class PathSearch {
 public:
  PathSearch(const Partition& part, const Hypothesis& hypothesis,
             const std::vector<Kernel>& kernels, const std::vector<Precedence>& precedences,
             const OrderLimits& limits, const Beside& beside)
      : device_(with_kernels_for(part.device, beside)),
        probe_(all_of(kernels, beside)),
        prediction_(device_, hypothesis),
        priority_(hypothesis.get<Priority>()),
        queue_(hypothesis.get<Queue>()),
        sticks_(hypothesis.get<Selection>() == Selection::sticky_round_robin),
        precedences_(precedences),
        sequence_(kernels.size(), precedences),
        kinds_(kinds_of(kernels, precedences)),
        limits_(limits),
        launched_(kernels.size()),
        ended_(kernels.size()) {
    State start(prediction_, device_);
    start.begin(probe_);
    found_.all_seen = true;
    for (int i = 0; i < std::ssize(beside.blocks) && found_.possible; ++i) {
      const auto sm = std::ranges::find(part.sms, beside.blocks[i].sm) - part.sms.begin();
      found_.possible = put(count() + i, static_cast<int>(sm), start);
    }
    if (found_.possible) go_on(start);
  }

  const Orders& found() const { return found_; }

 private:
  int count() const { return static_cast<int>(launched_.size()); }
  const Kernel& kernel(int k) const { return probe_.kernels[k]; }

  /// Whether its one block can be on that SM; then it is.
  bool put(int resident, int sm, State& state) {
    prediction_.now_on(sm);
    state.launch(resident);
    prediction_.now_on({});
    return state.sm_of_block(resident) == std::vector{sm};
  }

  bool may_arrive(int k, const State& state) const {
    if (launched_[k]) return false;
    for (int other = 0; other < k; ++other) {
      if (!launched_[other] && kinds_[other] == kinds_[k]) return false;
    }
    return std::ranges::all_of(precedences_, [&](const Precedence& p) {
      if (p.later != k) return true;
      return p.once == Precedence::Once::ended ? ended_[p.earlier] : is_placed(p.earlier, state);
    });
  }

  bool is_placed(int k, const State& state) const {
    return launched_[k] && state.places(k) == kernel(k).blocks;
  }
  bool all_arrived() const { return std::ranges::count(launched_, false) == 0; }

  /// The kernels that arrived and have blocks without a place, and how many.
  std::map<int, int> waiting(const State& state) const {
    std::map<int, int> waiting;
    for (const Arrival& arrival : arrivals_) {
      const int left = kernel(arrival.kernel).blocks - state.places(arrival.kernel);
      if (left > 0) waiting[arrival.kernel] = left;
    }
    return waiting;
  }

  /// Whether it may end, sooner or later, though these wait.
  bool may_end(int k, const std::map<int, int>& waiting, const State& state) const {
    const auto is_behind = [&](const Precedence& p) { return p.earlier == k && p.ends(); };
    return !ended_[k] && is_placed(k, state) && std::ranges::any_of(precedences_, is_behind) &&
           std::ranges::none_of(waiting, [&](const auto& other) {
             return sequence_.may_hang_on(k, other.first, ended_);
           });
  }

  /// Whether an order as long as this one would be worth anything.
  bool is_too_long() const {
    return found_.stranding && found_.safe && arrivals_.size() >= found_.stranding->arrivals.size();
  }

  void note_safe() {
    found_.all_safe.push_back(Order{arrivals_, {}, {}});
    const Order& order = found_.all_safe.back();
    if (!found_.safe || (order.is_settled() && !found_.safe->is_settled())) found_.safe = order;
  }

  /// From where all that arrived has its place, or waits.
  void go_on(const State& state) {
    const std::map<int, int> waiting = this->waiting(state);
    for (int k = 0; k < count(); ++k) {
      const bool ends = may_end(k, waiting, state);
      if (!ends && !may_arrive(k, state)) continue;
      if (waiting_ == 0 && is_too_long()) return;
      State next = state;
      ends ? leave(k, next) : arrive(k, Arrival::settled, next);
    }
  }

  /// Whether one more launch may be looked at.
  bool may_go_on() {
    limits_.task.doing(
        {fmt::format("{} of at most {} launches looked at", found_.launches, limits_.most_launches),
         found_.launches, limits_.most_launches, true});
    if (++found_.launches <= limits_.most_launches) return true;
    found_.all_seen = false;
    return false;
  }

  void leave(int k, State& state) {
    if (!may_go_on()) return;
    ended_[k] = true;
    arrivals_.push_back({.kernel = k, .ends = true});
    state.release({{k, {}}});
    end(state);
    arrivals_.pop_back();
    ended_[k] = false;
  }

  void arrive(int k, int after_blocks, State& state) {
    if (!may_go_on()) return;
    launched_[k] = true;
    arrivals_.push_back({k, after_blocks});
    state.enqueue(k);
    place_all(state);
    arrivals_.pop_back();
    launched_[k] = false;
  }

  /// Places what there is; a more urgent kernel may arrive between any two picks.
  void place_all(State& state) {
    const bool may_be_overtaken = is_more_urgent_left();
    if (may_be_overtaken) {
      while (state.dispatch_one()) {
        for (int k = 0; k < count(); ++k) {
          if (!overtakes(k, state)) continue;
          State next = state;
          arrive(k, placed(state), next);
        }
      }
    }
    state.dispatch();
    end(state);
  }

  /// Whether a kernel that arrives may go before one that did. By a formula it may: that can hang
  /// on how far they are.
  bool may_go_first(const Kernel& kernel, const Kernel& other) const {
    return may_be_formula<Priority>() || Priority::goes_first(priority_, {kernel}, {other});
  }

  bool is_more_urgent_left() const {
    const Kernel& latest = kernel(arrivals_.back().kernel);
    for (int k = 0; k < count(); ++k) {
      if (!launched_[k] && may_go_first(kernel(k), latest)) return true;
    }
    return false;
  }

  /// Whether it would go before a kernel that is being placed.
  bool overtakes(int k, const State& state) const {
    if (!may_arrive(k, state)) return false;
    return std::ranges::any_of(arrivals_, [&](const Arrival& arrival) {
      const Kernel& other = kernel(arrival.kernel);
      return may_go_first(kernel(k), other) && state.places(arrival.kernel) < other.blocks;
    });
  }

  int placed(const State& state) const {
    int blocks = 0;
    for (const Arrival& arrival : arrivals_) {
      if (!arrival.ends) blocks += state.places(arrival.kernel);
    }
    return blocks;
  }

  void end(State& state) {
    std::map<int, int> stranded = waiting(state);
    if (stranded.empty()) {
      all_arrived() ? note_safe() : go_on(state);
      return;
    }
    const bool is_shortest =
        !found_.stranding || size(arrivals_) < size(found_.stranding->arrivals);
    if (!is_shortest && found_.safe && waiting_ == 0) return;
    if (waits_for_good(state) && is_shortest) {
      found_.stranding = Order{arrivals_, std::move(stranded), Waits(state).all()};
    }
  }

  /// Whether no order of what is still to come gives all that waits here a place. What ends makes
  /// room; and others' blocks move warp pointers, and then it may fit.
  bool waits_for_good(const State& state) {
    if (nothing_moves(state)) return true;
    const std::size_t safe = found_.all_safe.size();
    ++waiting_;
    go_on(state);
    --waiting_;
    return found_.all_seen && found_.all_safe.size() == safe;
  }

  /// Whether nothing ends, and no arrival has a block placed, its own or another's. Then all of
  /// them together do not either, unless who is tried hangs on who else waits, or where on how
  /// often.
  bool nothing_moves(const State& state) {
    const std::map<int, int> waiting = this->waiting(state);
    for (int k = 0; k < count(); ++k) {
      if (may_end(k, waiting, state)) return false;
    }
    if (all_arrived()) return true;
    const bool is_named = queue_ == Queue::fifo || queue_ == Queue::skip_ahead;
    if (!is_named || sticks_) return false;
    for (int k = 0; k < count(); ++k) {
      if (!may_arrive(k, state)) continue;
      State next = state;
      next.enqueue(k);
      if (next.dispatch_one()) return false;
    }
    return true;
  }

  /// Launches first, what a probe can do before what it cannot, then blocks.
  std::tuple<std::size_t, bool, std::int64_t> size(const std::vector<Arrival>& arrivals) const {
    std::int64_t blocks = 0;
    for (const Arrival& arrival : arrivals) {
      if (!arrival.ends) blocks += kernel(arrival.kernel).blocks;
    }
    return {arrivals.size(), !Order{arrivals, {}, {}}.is_settled(), blocks};
  }

  const Device device_;
  const Probe probe_;
  Silent prediction_;
  const Priority::Value priority_;
  const Queue::Value queue_;
  const bool sticks_;  ///< its cursor, where a block waits
  const std::vector<Precedence> precedences_;
  const Sequence sequence_;
  const std::vector<int> kinds_;
  const OrderLimits limits_;
  std::vector<bool> launched_;
  std::vector<bool> ended_;
  std::vector<Arrival> arrivals_;
  int waiting_ = 0;  ///< after so many of the arrivals something had to wait
  Orders found_;
};

/// Of a wait that speaks of the SMs of the part, and of each resident block as a kernel of its own.
void tell_as_asked(Wait& wait, const Partition& part, const Beside& beside, std::size_t kernels) {
  part.name_as_on_whole(wait);
  std::vector<Refusal> refusals;
  const int count = static_cast<int>(kernels);
  for (Refusal& refusal : wait.sms) {
    if (refusal.set_by >= count) {
      refusal.set_by = count + beside.blocks[refusal.set_by - count].kernel;
    }
    const auto alike = std::ranges::find_if(refusals, [&](const Refusal& other) {
      return other.obstacles == refusal.obstacles && other.carve_out == refusal.carve_out &&
             other.prefers == refusal.prefers && other.set_by == refusal.set_by;
    });
    if (alike == refusals.end()) {
      refusals.push_back(std::move(refusal));
    } else {
      alike->sms.insert(alike->sms.end(), refusal.sms.begin(), refusal.sms.end());
      std::ranges::sort(alike->sms);
    }
  }
  wait.sms = std::move(refusals);
}

}  // namespace

bool Order::is_settled() const {
  return std::ranges::all_of(
      arrivals, [](const Arrival& arrival) { return arrival.after_blocks == Arrival::settled; });
}

Orders orders(const Device& device, const Hypothesis& hypothesis,
              const std::vector<Kernel>& kernels, const std::vector<Precedence>& precedences,
              const OrderLimits& limits, const Beside& beside) {
  const Partition part = without_sms(device, beside.reserved_sms);
  Orders found =
      PathSearch(part, on_partition(device, hypothesis, part), kernels, precedences, limits, beside)
          .found();
  if (found.stranding) {
    for (Wait& wait : found.stranding->waits) tell_as_asked(wait, part, beside, kernels.size());
  }
  return found;
}

Probe probe_of(const Order& order, const std::vector<Kernel>& kernels, const std::string& name) {
  Probe probe{name, {}, {}};
  std::map<int, int> known;  // kernel -> which it is of the probe
  for (const Arrival& arrival : order.arrivals) {
    if (arrival.ends) {
      probe.script.push_back({{}, {{known.at(arrival.kernel), {}}}});
      continue;
    }
    const int k = known[arrival.kernel] = static_cast<int>(probe.kernels.size());
    probe.script.push_back({k, {}});
    probe.kernels.push_back(kernels[arrival.kernel]);
  }
  return probe;
}

}  // namespace cuvier
