#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/batches.h"
#include "hypotheses/scheduler/cluster_passes.h"
#include "hypotheses/scheduler/cluster_selector.h"
#include "hypotheses/scheduler/queue_order.h"
#include "hypotheses/scheduler/selector.h"

namespace cuvier {

/// The one definition of the block scheduler (scheduler.md section 4), over a reading.
template <Reading R>
class Scheduler {
 public:
  using Warps = typename R::Warps;

  Scheduler(R& reading, const Device& device)
      : reading_(reading),
        axes_(reading),
        device_(device),
        sms_(reading, device),
        selector_(reading, device, sms_),
        clusters_(reading, device, sms_),
        passes_(reading, device, sms_),
        batches_(reading, device),
        order_(reading, device) {}

  /// Goes on from where the other is, over the same reading.
  Scheduler(const Scheduler& other)
      : reading_(other.reading_),
        axes_(other.axes_),
        device_(other.device_),
        sms_(other.sms_),
        selector_(other.selector_, sms_),
        clusters_(other.clusters_, sms_),
        passes_(other.passes_, sms_),
        batches_(other.batches_),
        order_(other.order_),
        probe_(other.probe_),
        now_(other.now_) {}

  /// Begins a probe on an idle device. The probe must outlive it.
  void begin(const Probe& probe) {
    probe_ = &probe;
    reading_.begins();
    now_.begin(probe);
    order_.begin(probe);
    sms_.begin(probe);
    selector_.begin();
    clusters_.begin();
    passes_.begin();
  }

  /// The probe has more kernels than when it began, behind those that it had.
  void grow() {
    now_.kernels.resize(probe_->kernels.size());
    sms_.grow();
  }

  /// A cap of a kernel (HasCaps) is another: what waited may go.
  void caps_changed() { sms_.caps_changed(); }

  void launch(int k) {
    enqueue(k);
    dispatch();
  }
  void enqueue(int k) {
    action_begins();
    now_.waiting.push_back(k);
    now_.kernels[k].expect(kernel(k).blocks);
    admit();
  }
  void dispatch() {
    while (!now_.queue.empty() && dispatch_one()) {
    }
    std::ranges::sort(now_.giving_out, {}, [&](int k) { return now_.kernels[k].rank; });
    for (const int k : now_.giving_out) give_out_all(k);
    now_.giving_out.clear();
  }
  /// Makes one pick; false if all that is in the queue must wait.
  bool dispatch_one() {
    const std::vector<int>& order = order_.of(now_);
    if (order_.is_fleeting()) now_.head = order.front();
    Open open = Open::all;
    for (int behind = 0; behind < std::ssize(order); ++behind) {
      const int k = order[behind];
      const bool on_all = open == Open::all || !order_.is_held_up(now_, behind);
      if (!on_all && open == Open::none) continue;
      sms_.open_lone_tpcs_only(!on_all);
      if (try_pick(k)) return true;
      give_out_all(k);
      if (k != order.back()) open = std::min(open, order_.open_behind(k));
    }
    sms_.open_lone_tpcs_only(false);
    return false;
  }

  void release(const std::vector<Release>& releases) {
    action_begins();
    selector_.release_begins();
    for (const Release& r : releases) {
      if (r.blocks.empty()) free_all(r.kernel);
      for (const int b : r.blocks) free_block(r.kernel, b);
    }
    sms_.settle();
    dispatch();
    if (admit()) dispatch();
  }

  /// Ends the probe: resident blocks exit, and what never started is forgotten.
  void drain() {
    selector_.release_begins();
    now_.queue.clear();
    order_.forget();
    now_.waiting.clear();
    for (int k = 0; k < static_cast<int>(now_.kernels.size()); ++k) free_all(k);
    sms_.settle();
  }

  /// Brings a device that was not used yet into the state in which the opening left it, idle again:
  /// its blocks went where they were seen to go, whether or not they could have.
  void adopt(const auto& opening) {
    reading_.begins();
    for (const Action& action : opening.probe().script) {
      now_.local_memory.found_idle(opening.probe().kernels[*action.launch].local);
    }
    sms_.adopt(opening);
    selector_.adopt(opening.latest());
    batches_.adopt(opening.latest(), selector_, now_.numbering);
  }

  /// Whether all goes on here as there, whatever the hypothesis. The probe is the same.
  bool goes_on_as(const Scheduler& other) const {
    return now_ == other.now_ && selector_.goes_on_as(other.selector_) &&
           clusters_.goes_on_as(other.clusters_) && sms_.goes_on_as(other.sms_);
  }
  /// Forgets what it made of the values of axes: others may be read from here on.
  void read_anew() {
    order_.forget();
    selector_.read_anew();
  }

  /// Whether no block is on the device, and none waits.
  bool idle() const { return sms_.idle() && now_.queue.empty() && now_.waiting.empty(); }

  /// Sms::renumber, between actions.
  void renumber(auto&& renumbered) { sms_.renumber(renumbered); }

  /// Where the kernel's blocks went, those that started, until all have left.
  const std::vector<int>& sm_of_block(int k) const { return now_.kernels[k].sm_of_block; }
  int places(int k) const { return now_.kernels[k].places; }    ///< for so many blocks there is one
  const std::vector<int>& queue() const { return now_.queue; }  ///< kernels, as they joined it
  const typename R::Int& target_config(int k) const { return sms_.target_config(k); }

  Carry carry() const { return {selector_.cursors(), now_.local_memory, now_.numbering}; }
  typename Sms<R>::AtRest at_rest() const { return sms_.at_rest(); }
  /// Makes the device idle, whatever it holds.
  void set_idle(Carry carry, const typename Sms<R>::AtRest& rest) {
    selector_.set_cursors(std::move(carry.cursors));
    now_.numbering = carry.numbering;
    now_.local_memory = carry.local_memory;
    sms_.set_idle(rest);
  }

 private:
  friend class Waits<R>;
  using KernelState = cuvier::KernelState<Warps>;
  using Open = typename QueueOrder<R>::Open;

  const Kernel& kernel(int k) const { return probe_->kernels[k]; }
  int left(int k) const { return kernel(k).blocks - now_.kernels[k].places; }
  void action_begins() {
    ++now_.actions;
    sms_.action_begins();
    order_.forget_if_fleeting();
  }

  // -- the queue ------------------------------------------------------------

  /// Lets launched kernels join the queue; true if any did.
  bool admit() {
    bool joined = false;
    for (auto k = now_.waiting.begin(); k != now_.waiting.end();) {
      if (now_.incomplete_before(*probe_, *k) || held_up_by(k)) {
        ++k;
        continue;
      }
      if (now_.in_flight >= device_.max_resident_kernels) break;
      ++now_.in_flight;
      join_queue(*k);
      k = now_.waiting.erase(k);
      joined = true;
    }
    return joined;
  }

  /// The launch before it that holds it up by waiting itself, if there is one.
  std::optional<int> held_up_by(std::vector<int>::const_iterator k) {
    if (!may_be_formula<Connection>() || k == now_.waiting.begin()) return {};
    return now_.waits_before(*probe_, k, axes_.template resolve<Connection>());
  }

  void join_queue(int k) {
    now_.queue.push_back(k);
    sms_.joins(k, now_.joined);
    now_.kernels[k].rank = now_.joined++;
    now_.kernels[k].joined_at = now_.actions;
    if (order_.is_fleeting()) now_.take_slot(k);
    order_.forget();
  }

  // -- one pick -------------------------------------------------------------

  /// Places the next block of the kernel, or the next few, or its next cluster; false if it must
  /// wait.
  bool try_pick(int k) {
    if (kernel(k).cluster) return try_cluster(k, *kernel(k).cluster);
    KernelState& state = now_.kernels[k];
    reset_cursors(k);
    if (!local_memory_ready(k)) return false;
    const bool in_rounds = batches_.begin_try(state, selector_);
    if (!in_rounds) await_turn(k);
    reading_.picks(k, state.flight);
    const auto mate = state.places % 2 == 1 ? std::optional(state.latest_sm) : std::nullopt;
    const auto sm = selector_.select(next_block(k), mate, [&](int chosen) {
      if (!in_rounds) return;
      batches_.find_round(k, state, asked(k)(chosen), now_.is_alone(k), now_.numbering);
    });
    if (!sm) return false;
    while (state.flight.gives_out_before(*sm)) give_out(k);
    batches_.begin_pick(state, *sm);
    state.places_at_pick.push_back(state.places);
    const int most = batches_.size(k, kernel(k), state, *sm, sms_.resident_blocks(*sm));
    typename Flight<Warps>::Pick pick{.sm = *sm, .next = place(k, *sm), .is_several = most > 1};
    for (int more = 1; more < most && left(k) > 0 && reading_.decide(sms_.fits(*sm, k)); ++more) {
      pick.further.push_back(place(k, *sm));
    }
    now_.will_give_out(k);
    batches_.join(state, pick);
    if (in_rounds && left(k) == 0) give_out_all(k);
    return true;
  }

  bool try_cluster(int k, int blocks) {
    KernelState& state = now_.kernels[k];
    if (state.places == 0) clusters_.kernel_begins();
    reset_cursors(k);
    const bool in_passes = clusters_.goes_by_passes();
    state.flight.set_in_rounds(in_passes);
    std::optional<ClusterTurn> turn;
    if (local_memory_ready(k)) {
      reading_.picks(k, state.flight);
      turn = in_passes ? passes_.next(k, blocks) : clusters_.select(k, blocks);
    }
    if (!turn) {
      passes_.end(k);
      return false;
    }
    if (turn->begins_pass) give_out_all(k);
    for (const int sm : turn->sms) state.flight.join({.sm = sm, .next = place(k, sm)});
    now_.will_give_out(k);
    if (!in_passes || left(k) == 0) give_out_all(k);
    selector_.end_turn();
    const auto moves = [&] { return selector_.takes_gpcs_in_turn() && clusters_.shares_cursor(); };
    if (reading_.outcome_of(moves)) selector_.go_on_behind(turn->sms.back());
    return true;
  }

  /// Before its next block or cluster is tried.
  void reset_cursors(int k) {
    const Kernel& of = kernel(k);
    const KernelState& state = now_.kernels[k];
    if (state.places > 0 && !sms_.idle() && !may_be_formula<CursorReset>()) return;
    selector_.reset_cursors({state.places, left(k), of.warps(), of.priority, of.cluster.value_or(0),
                             state.rank, sms_.blocks(), device_.sms});
  }

  bool local_memory_ready(int k) {
    const int local = kernel(k).local;
    if (sms_.idle()) {
      now_.local_memory.found_idle(local);
      return true;
    }
    // Only where the values differ does it matter which one holds.
    if (may_be_formula<LocalMemory>()) {
      return now_.local_memory.lets(axes_.template resolve<LocalMemory>(),
                                    now_.asks_local_memory(*probe_, k));
    }
    if (local <= now_.local_memory.latest) return true;
    if (local <= now_.local_memory.grown) {
      return !axes_.template is<LocalMemory>(LocalMemory::set_when_idle);
    }
    return axes_.template is<LocalMemory>(LocalMemory::ignored);
  }

  // -- picks in flight --------------------------------------------------------

  /// Lets blocks start until the kernel's next pick is in turn.
  void await_turn(int k) {
    KernelState& state = now_.kernels[k];
    // With few blocks left none joins others.
    if (left(k) < PairsInFlight::fewest(device_)) return give_out_all(k);
    // A last block goes before whatever joins, so none goes elsewhere if it goes now.
    const auto may_join = [&] { return !state.flight.front().further.empty(); };
    while (!state.flight.empty() && !(may_join() && batches_.joins(k, state))) give_out(k);
  }

  void give_out_all(int k) {
    KernelState& state = now_.kernels[k];
    if (kernel(k).cluster) {
      batches_.number_clusters(state, *kernel(k).cluster, now_.numbering);
    } else {
      batches_.number_all(k, state, left(k) == 0, asked(k), now_.numbering);
    }
    while (!state.flight.empty()) give_out(k);
    state.gave_out_all(left(k));
  }

  NextBlock next_block(int k) const {
    const KernelState& state = now_.kernels[k];
    return {sms_.placing(k), state.places, state.rank, state.latest_sm, state.first_sm};
  }

  /// What a choice for the kernel would compare of an SM, and whether a block of it fits there.
  auto asked(int k) {
    return [this, k](int sm) {
      return std::pair(selector_.key_of_choice(next_block(k), sm), sms_.fits(sm, k));
    };
  }

  /// The next block of the picks in flight starts.
  void give_out(int k) {
    KernelState& state = now_.kernels[k];
    const auto [sm, place] = state.flight.take();
    state.sm_of_block.push_back(sm);
    state.place_of_block.push_back(place.nth);
    reading_.placed(k, state.started() - 1, sm, place.warps);
  }

  typename Flight<Warps>::Place place(int k, int sm) {
    KernelState& state = now_.kernels[k];
    const int nth = state.places++;
    const Warps& warps = sms_.place(k, nth, sm);
    ++state.resident;
    state.got_place(sm);
    if (order_.is_fleeting()) now_.got_block(k);
    order_.forget_if_fleeting();
    if (left(k) == 0) {
      std::erase(now_.queue, k);
      order_.forget();
    }
    selector_.placed(sm, kernel(k).warps());
    clusters_.placed(sm);
    return {nth, warps};
  }

  void free_all(int k) {
    KernelState& state = now_.kernels[k];
    for (int b = state.gone; b < state.started(); ++b) free_block(k, b);
    state.gone = state.started();
  }

  void free_block(int k, int block) {
    KernelState& state = now_.kernels[k];
    if (block < 0 || block >= state.started()) return;
    const int sm = state.sm_of_block[block];
    if (!sms_.release(k, state.place_of_block[block], sm)) return;
    selector_.leave(sm);
    order_.forget_if_fleeting();
    if (--state.resident == 0 && left(k) == 0) {
      state.end();
      --now_.in_flight;
    }
    if (!sms_.idle()) return;
    selector_.device_idle();
    clusters_.device_idle();
  }

  R& reading_;
  const AxisReader<R, Part::queue, Part::clusters> axes_;
  const Device& device_;
  Sms<R> sms_;
  Selector<R> selector_;
  ClusterSelector<R> clusters_;
  ClusterPasses<R> passes_;
  Batches<R> batches_;
  QueueOrder<R> order_;
  const Probe* probe_ = nullptr;
  DispatchState<Warps> now_;
};

}  // namespace cuvier
