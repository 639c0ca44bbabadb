#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "hypotheses/axis_reader.h"
#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/choice_rules.h"
#include "hypotheses/scheduler/kernel_state.h"
#include "hypotheses/scheduler/rounds.h"

namespace cuvier {

/// Which picks of a kernel take several places, and when they join those in flight (scheduler.md
/// section 4, dispatch_batch and pairs_in_flight), over a reading R (reading.h).
template <class R>
class Batches {
 public:
  using State = KernelState<typename R::Warps>;
  using Pick = typename Flight<typename R::Warps>::Pick;

  Batches(R& reading, const Device& device)
      : reading_(reading), axes_(reading), device_(device), rounds_(device) {}

  /// Before a pick by that selector: whether it is given out in rounds, with those in flight.
  bool begin_try(State& state, auto& selector) {
    const bool in_rounds = numbers_in_rounds(selector);
    state.flight.set_in_rounds(in_rounds);
    return in_rounds;
  }
  /// What a choice for the kernel would compare of an SM, and whether a block of it fits there.
  using Asked = std::pair<typename R::Int, typename R::Bool>;

  /// Before a pick to an SM of which that is so, and which takes the block, joins those in flight:
  /// whether a round begins, and with it which blocks come before, if no other kernel's come
  /// between.
  void find_round(int k, State& state, Asked sm, bool is_alone, Rounds::Cursors& cursors) {
    int& begun = state.flight.progress().begun;
    if (begun == 0 || !reading_.decide(are_equal(sm, k))) {
      if (begun++ > 0 && is_alone) number(state, Next::round, cursors);
    }
    keys_.insert_or_assign(k, std::move(sm.first));
  }
  /// No pick of the kernel follows those in flight, and no block if it `is_over`.
  void number_all(int k, State& state, bool is_over, auto&& asked, Rounds::Cursors& cursors) {
    if (!state.flight.is_in_rounds()) return;
    const bool matters = is_over && state.flight.progress().begun > 1;
    number(state, matters && was_one_of_more(k, asked) ? Next::no_block : Next::nothing, cursors);
  }
  /// Those of a kernel's clusters: no further one is in the pass of these.
  void number_clusters(State& state, int blocks, Rounds::Cursors& cursors) {
    if (!state.flight.is_in_rounds()) return;
    state.flight.number([&](auto& picks, Rounds::Progress&) {
      rounds_.order_clusters(picks, blocks, cursors);
      return std::ssize(picks);
    });
  }
  /// Cursors are where these blocks, one after another, left them.
  void adopt(const auto& blocks, auto& selector, Rounds::Cursors& cursors) {
    if (!numbers_in_rounds(selector)) return;
    for (const auto& block : blocks) rounds_.adopt(cursors, block.sm);
  }

  /// As long as more of a kernel's blocks are left than this, it does not matter how many.
  static int most_left_that_matter(const Device& device) {
    return threshold(device) + BatchMargin::largest;
  }

  /// How many places the kernel's latest pick, to this SM with so many blocks, takes at most.
  int size(int k, const Kernel& kernel, State& state, int sm, int resident) {
    const BatchSize::Value size = axes_.template resolve<BatchSize>();
    if (size == BatchSize::one_or_two) return takes_two(k, kernel, state, sm) ? 2 : 1;
    return number_by_formula<BatchSize, PlainIntegers>(
        size, {kernel.blocks - state.places, kernel.blocks, kernel.warps(), device_.sms,
               kernel.registers, kernel.shared, resident});
  }

  /// Whether the kernel's next pick joins those in flight, while so many blocks are left that it
  /// may.
  bool joins(int k, State& state) {
    if (state.flight.size() < at_first(state) + state.joined) return true;
    if (drifts() && reading_.another_joins(k, state.flight.front().sm, state.flight.size())) {
      return true;
    }
    state.flight.none_joins();
    return false;
  }

  /// Before the pick to that SM, which is not in flight any more.
  void begin_pick(State& state, int sm) {
    // Had another joined unseen, this one would have followed at once.
    if (state.flight.could_have_joined(sm)) state.may_have_joined = state.joined;
  }

  void join(State& state, const Pick& pick) {
    state.flight.join(pick);
    // Each axis is read only where its values differ.
    if (state.flight.is_in_rounds() || state.flight.most() == 1 || !drifts()) return;
    state.joined = std::max(state.joined, state.flight.size() - at_first(state));
    state.may_have_joined = std::max(state.may_have_joined, state.flight.most() - at_first(state));
  }

 private:
  using Next = Rounds::Next;

  void number(State& state, Next then, Rounds::Cursors& cursors) {
    state.flight.number([&](auto& picks, Rounds::Progress& progress) {
      return rounds_.order(picks, state.started() == 0, then, progress, cursors);
    });
  }

  typename R::Bool are_equal(const Asked& sm, int k) {
    return reading_.apply(Beats{Beats::equal}, sm.second, sm.first, keys_.at(k));
  }
  /// Whether one more block could go to an equal of the SM of the kernel's latest pick.
  bool was_one_of_more(int k, auto&& asked) {
    typename R::Bool any = reading_.never();
    for (int sm = 0; sm < device_.sms; ++sm) {
      any = reading_.apply(Either{}, any, are_equal(asked(sm), k));
    }
    return reading_.decide(any);
  }

  // What is learned of an order are the numbers that blocks have.
  bool numbers_in_rounds(auto& selector) {
    return rounds_.has_groups() && !selector.has_learned_order() &&
           axes_.template resolve<Numbering>() == Numbering::by_gpc;
  }

  bool takes_two(int k, const Kernel& kernel, State& state, int sm) {
    const auto& history = state.places_at_pick;
    const int pick = static_cast<int>(history.size()) - 1;
    const auto counted = [&](int lag) { return kernel.blocks - history[std::max(0, pick - lag)]; };
    const int least = threshold(device_);
    const int oldest = BatchLag::longest + state.may_have_joined;
    // Each axis is read only where its values differ.
    if (counted(0) <= 1) return false;
    if (counted(oldest) <= least && !may_be_formula<DispatchBatch>()) return false;
    const auto are_many = [&](int count) {
      if (count <= least || count > least + BatchMargin::largest) return count > least;
      return count > least + BatchMargin::blocks(axes_.template resolve<BatchMargin>());
    };
    const auto are_many_by = [&](DispatchBatch::Value formula, int count) {
      const int margin = formula_reads<DispatchBatch>(formula, "margin")
                             ? BatchMargin::blocks(axes_.template resolve<BatchMargin>())
                             : 0;
      return condition_by_formula<DispatchBatch, PlainIntegers>(
          formula, {count, kernel.blocks, device_.sms, margin});
    };
    const auto many_left = [&] {
      const DispatchBatch::Value batch = axes_.template resolve<DispatchBatch>();
      if (batch == DispatchBatch::single) return false;
      const auto lagging = [&] {
        return counted(BatchLag::picks(axes_.template resolve<BatchLag>()));
      };
      if (batch == DispatchBatch::pair) {
        return counted(0) > most_left_that_matter(device_) || are_many(lagging());
      }
      const bool counts = formula_reads<DispatchBatch>(batch, "left");
      return are_many_by(batch, counts ? lagging() : 0);
    };
    if (reading_.outcome_of(many_left)) return true;
    if (!state.may_count_late) return false;
    const auto are_many_then = [&](int count) {
      if (!may_be_formula<DispatchBatch>()) return are_many(count);
      const DispatchBatch::Value batch = axes_.template resolve<DispatchBatch>();
      if (batch == DispatchBatch::single) return false;
      return batch == DispatchBatch::pair ? are_many(count) : are_many_by(batch, count);
    };
    // As few as suffice joined before it; these show from here on.
    const auto fewest = [&] {
      int joined = std::max(1, state.joined);
      while (joined <= state.may_have_joined && !are_many_then(counted(at_first(state) + joined))) {
        ++joined;
      }
      return joined;
    };
    const int joined = reading_.outcome_of(fewest);
    state.may_count_late =
        joined <= state.may_have_joined &&
        reading_.counts_late(k, sm, state.flight.size(), at_first(state) + joined);
    if (state.may_count_late) state.joined = joined;
    return state.may_count_late;
  }

  static int threshold(const Device& device) { return 2 * device.sms; }

  bool drifts() { return PairsInFlight::drifts(axes_.template resolve<PairsInFlight>()); }

  /// How many of the kernel's picks can be in flight without another that joins.
  int at_first(const State& state) {
    const int picks = static_cast<int>(state.places_at_pick.size());
    return PairsInFlight::at_first(axes_.template resolve<PairsInFlight>(), picks);
  }

  R& reading_;
  const AxisReader<R, Part::batches> axes_;
  const Device& device_;
  const Rounds rounds_;
  std::map<int, typename R::Int> keys_;  ///< by kernel, of its pick before
};

}  // namespace cuvier
