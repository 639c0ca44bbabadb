#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "hypotheses/scheduler/scheduler.h"
#include "hypotheses/scheduler/topology.h"
#include "solver/space/cells.h"
#include "solver/space/expectation.h"
#include "solver/space/lifted_values.h"
#include "solver/space/paths.h"
#include "solver/space/precedences.h"
#include "solver/space/unknown_order.h"

namespace cuvier {

/// The reading of the scheduler (hypotheses/readings/reading.h) by many hypotheses at once, held
/// against what was observed: a path ends as soon as no hypothesis on it explains that.
template <LiftedValues V>
class Exploration {
 public:
  using Int = typename V::Int;
  using Bool = typename V::Bool;
  using Warps = typename V::Warps;
  using Shared = typename V::Shared;
  using Option = cuvier::Option<Int, Bool>;
  using Cell = cuvier::Cell<Int, Bool>;
  using Branch = typename Paths<V>::Branch;
  using Options = std::conditional_t<ToldApartAtOnce<Int> && ToldApartAtOnce<Bool>,
                                     CellList<Int, Bool>, OptionList<Int, Bool>>;

  Exploration(const Device& device, V& values, const Expectation& expectation, const Effort& most)
      : device_(device), values_(values), expectation_(expectation), paths_(values, most) {}

  /// From here on, paths are those of these hypotheses, with what is known of their order.
  void begin(const Bool& alive, const Precedences& precedences) {
    known_at_start_ = precedences;
    paths_.begin(alive);
  }
  bool next_path() {
    precedences_ = known_at_start_;
    return paths_.next();
  }

  const Bool& alive() const { return paths_.alive(); }
  const Precedences& precedences() const { return precedences_; }

  void begin_step(int step, int kernels) {
    step_ = step;
    choices_ = 0;
    no_more_join_.assign(kernels, false);
    if constexpr (requires { values_.at_step(step); }) values_.at_step(step);
    started_on_.resize(kernels);
    for (std::vector<int>& sms : started_on_) sms.clear();
  }
  void end_step() {
    for (int k = 0; k < static_cast<int>(started_on_.size()); ++k) {
      const int started = static_cast<int>(started_on_[k].size());
      if (!expectation_.satisfied(step_, k, started)) throw DeadEnd();
    }
  }

  /// Keeps only hypotheses for which the value is `expected`.
  void require_equal(const Int& value, int expected) {
    paths_.keep(values_.both(paths_.alive(), values_.equals(value, expected)));
  }

  // -- what the scheduler asks for --------------------------------------------

  Warps idle_warps() { return values_.idle_warps(); }
  Shared idle_shared() { return values_.idle_shared(); }
  Int constant(int value) { return values_.constant(value); }
  Bool never() const { return values_.no(); }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    return values_.apply(rule, states...);
  }

  bool decide(const Bool& condition) { return paths_.decide(condition); }
  bool certain(const Bool& condition) {
    return values_.is_no(values_.without(paths_.alive(), condition));
  }

  template <class A>
  typename A::Value resolve() {
    return static_cast<typename A::Value>(paths_.resolve(index_of<A>()));
  }

  /// Of an axis that is read no further, this takes fewer branches.
  template <class A>
  bool is(typename A::Value value) {
    return paths_.is(index_of<A>(), value);
  }

  template <class Work>
  auto outcome_of(const Work& work) {
    return paths_.outcome_of(work);
  }

  bool any(const auto& options) {
    return paths_.follow([&] {
      Bool some = values_.no();
      for (const Cell& cell : cells_of(options, {})) some = values_.either(some, cell.eligible);
      std::vector<Branch> branches = paths_.either(some);
      if (may_place_on_any(options)) return branches;
      // The block was seen to wait: nothing is eligible, or the cursor sticks elsewhere.
      const Bool sticky = values_.has(index_of<Selection>(), Selection::sticky_round_robin);
      branches[0].taken_by = values_.both(branches[0].taken_by, sticky);
      return branches;
    }) == 1;
  }

  int pick(const auto& options, int first_node, const Entry& entry, const auto& allowed) {
    if (!order_unknown()) return pick_ranked(options, entry, allowed);
    return pick_in_unknown_order(ranked_from<Option>(options, entry), first_node, allowed);
  }

  int pick_ranked(const auto& options, const Entry& entry, const auto& allowed);

  bool decide_as_seen(const Bool& condition, bool allowed) {
    if (allowed) return decide(condition);
    paths_.keep(values_.without(paths_.alive(), condition));
    return false;
  }

  Option at_cursor(const auto& options, const Entry& entry) {
    if (order_unknown()) return find_cursor(ranked_from<Option>(options, entry));
    return first_of(options, entry);
  }

  const std::vector<int>& sm_ranks() {
    const auto tie_break = resolve<TieBreak>();
    std::vector<int>& ranks = named_ranks_[tie_break];
    if (ranks.empty() && tie_break != TieBreak::learned) {
      ranks = ranks_of(named_order(device_, tie_break));
    }
    return ranks;
  }

  std::vector<int> group_ranks(const std::vector<std::vector<int>>& groups) {
    if (!order_unknown()) return group_ranks_of(groups, sm_ranks());
    precedences_.set_groups(groups);
    return {};
  }

  template <class A>
  bool may_be_formula() const {
    return cuvier::may_be_formula<A>();
  }
  void begins() {}
  void picks(int kernel, const Flight<Warps>& in_flight) {
    picked_ = kernel;
    in_flight_ = &in_flight;
  }
  bool may_place(int sm) const {
    const std::vector<int>& started = started_on_[picked_];
    if (in_flight_->is_in_rounds()) {
      return expectation_.allows_more_than(in_flight_->places_on(sm), step_, picked_, started, sm);
    }
    return in_flight_->has(sm) ||  // later than this
           expectation_.allows(step_, picked_, started, sm, in_flight_->size());
  }

  /// What the numbers of its blocks show settles it: the pick in turn has its second block then,
  /// or another joined, to another SM.
  bool another_joins(int kernel, int sm_in_turn, int in_flight) {
    const std::vector<int>& started = started_on_[kernel];
    switch (expectation_.tells_numbers(step_, kernel)) {
      case Expectation::Numbers::told:
        return !expectation_.allows(step_, kernel, started, sm_in_turn, in_flight);
      case Expectation::Numbers::show:
        return either_way();
      case Expectation::Numbers::later:
        // What joins may as well join at once: how many there are at the end is what is open.
        if (!no_more_join_[kernel]) no_more_join_[kernel] = in_flight >= many || !either_way();
        return !no_more_join_[kernel];
      case Expectation::Numbers::untold:
        break;
    }
    return in_flight < many;
  }
  bool counts_late(int kernel, int sm, int in_flight, int) {
    // The other picks in flight, an SM each at most, give out one block before its second.
    const int behind = device_.sms - 1;
    return expectation_.allows_behind(step_, kernel, started_on_[kernel], sm, in_flight, behind) &&
           either_way();
  }

  bool may_place_among(int sm, int blocks) const {
    return expectation_.allows(step_, picked_, started_on_[picked_], sm, 0, blocks);
  }

  void placed(int kernel, int, int sm, const Warps& warps) {
    std::vector<int>& started = started_on_[kernel];
    if (!expectation_.allows(step_, kernel, started, sm)) throw DeadEnd();
    const int nth = static_cast<int>(started.size());
    if (const auto* route = expectation_.route(step_, kernel, nth)) {
      paths_.keep(values_.both(paths_.alive(), values_.route_is(warps, *route)));
    }
    started.push_back(sm);
    paths_.count_block();
  }

 private:
  static constexpr int many = 8;  ///< picks in flight; more change nothing that was ever seen

  // Of the SMs of the device, and of some of them.
  bool may_place_on_any(const Options&) const {
    return expectation_.allows_any(step_, picked_, started_on_[picked_], in_flight_->size());
  }
  bool may_place_on_any(const std::vector<Option>& sms) const {
    return std::ranges::any_of(sms, [&](const Option& o) { return may_place(o.id); });
  }

  static const Option& first_of(const auto& options, const Entry& entry) {
    if constexpr (requires { options.first(entry); }) {
      return options.first(entry);
    } else {
      return *std::ranges::min_element(options, {},
                                       [&](const Option& o) { return entry.turn(o.rank); });
    }
  }

  bool order_unknown() { return sm_ranks().empty(); }

  /// Where the cell's options are eligible and their key beats this one.
  Bool beaten_by(const Cell& cell, const Int& key, Beats::How how) {
    return apply(Beats{how}, cell.eligible, cell.key, key);
  }

  bool is_in(const Cell& cell, const Option& option) const {
    return values_.same(cell.eligible, option.eligible) && values_.same(cell.key, option.key);
  }
  /// The cells of which any hypothesis finds the options eligible.
  std::vector<Cell> cells_of(const auto& options, const Entry& entry) const;
  int pick_in_unknown_order(const std::vector<Option>& options, int first_node,
                            const auto& allowed);
  Option find_cursor(const std::vector<Option>& options);

  /// What nobody controls: each of these hypotheses explains it if either way does.
  bool either_way() {
    if constexpr (requires { values_.either_way(paths_.alive(), 0); }) {
      return paths_.follow(values_.either_way(paths_.alive(), choices_++)) == 0;
    } else {
      return paths_.follow({paths_.alive(), paths_.alive()}) == 0;
    }
  }

  const Device& device_;
  V& values_;
  const Expectation& expectation_;
  Paths<V> paths_;
  int picked_ = -1;                           ///< the kernel whose block is next
  const Flight<Warps>* in_flight_ = nullptr;  ///< its picks
  Precedences known_at_start_;
  Precedences precedences_;
  int step_ = 0;
  int choices_ = 0;                           ///< that nobody controls, in this step so far
  std::vector<std::vector<int>> started_on_;  ///< in this step, by kernel
  std::vector<bool> no_more_join_;            ///< in this step, by kernel
  std::map<TieBreak::Value, std::vector<int>> named_ranks_;
};

template <LiftedValues V>
auto Exploration<V>::find_cursor(const std::vector<Option>& options) -> Option {
  // Either it is where the block was seen to go, or on any SM on which it must wait, perhaps
  // until another kernel's block has moved the cursor.
  std::vector<Bool> branches;
  for (const Option& option : options) {
    Bool goes = may_place(option.id) ? values_.both(paths_.alive(), option.eligible) : values_.no();
    Bool waits = values_.without(paths_.alive(), option.eligible);
    const auto is_first = [&](const Option& other) {
      return goes_before(precedences_, other, option, 0);
    };
    if ((!values_.is_no(goes) || !values_.is_no(waits)) && std::ranges::any_of(options, is_first)) {
      goes = waits = values_.no();
    }
    branches.insert(branches.end(), {goes, waits});
  }
  const Option& at = options[paths_.follow(branches) / 2];
  for (const Option& other : options) {
    if (&other != &at) learn_before(precedences_, at, other, 0);
  }
  return at;
}

template <LiftedValues V>
auto Exploration<V>::cells_of(const auto& options, const Entry& entry) const -> std::vector<Cell> {
  std::vector<Cell> cells;
  if constexpr (requires { options.cells(entry); }) {
    cells = options.cells(entry);
    std::erase_if(cells, [&](const Cell& cell) { return values_.is_no(cell.eligible); });
  } else {
    for (const Option& option : options) {
      if (values_.is_no(option.eligible)) continue;
      const int turn = entry.turn(option.rank);
      const auto cell =
          std::ranges::find_if(cells, [&](const Cell& c) { return is_in(c, option); });
      if (cell == cells.end()) {
        cells.push_back({option.eligible, option.key, option.id, turn});
      } else if (turn < cell->turn) {
        cell->first = option.id;
        cell->turn = turn;
      }
    }
  }
  return cells;
}

template <LiftedValues V>
int Exploration<V>::pick_ranked(const auto& options, const Entry& entry, const auto& allowed) {
  return paths_.follow([&] {
    const std::vector<Cell> cells = cells_of(options, entry);
    std::vector<Branch> branches;
    for (const Cell& cell : cells) {
      Bool wins = allowed(cell.first) ? values_.both(paths_.alive(), cell.eligible) : values_.no();
      for (const Cell& other : cells) {
        if (values_.is_no(wins)) break;
        if (&other == &cell) continue;
        const auto how = other.turn < cell.turn ? Beats::at_most : Beats::less;
        wins = values_.without(wins, beaten_by(other, cell.key, how));
      }
      branches.push_back({cell.first, wins});
    }
    return branches;
  });
}

template <LiftedValues V>
int Exploration<V>::pick_in_unknown_order(const std::vector<Option>& options, int first_node,
                                          const auto& allowed) {
  const std::vector<Cell> cells = cells_of(options, {});
  std::vector<std::vector<const Option*>> options_of(cells.size());
  std::vector<std::pair<std::size_t, const Option*>> contenders;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (const Option& o : options) {
      if (is_in(cells[c], o)) options_of[c].push_back(&o);
    }
    std::ranges::stable_sort(options_of[c], {}, &Option::rank);
    for (const Option* o : options_of[c]) {
      if (allowed(o->id)) contenders.emplace_back(c, o);
    }
  }
  std::vector<Bool> branches;
  for (const auto& [own, option] : contenders) {
    const auto surely_before = [&, winner = option](const Option* other) {
      return goes_before(precedences_, *other, *winner, first_node);
    };
    Bool wins = values_.both(paths_.alive(), cells[own].eligible);
    for (std::size_t c = 0; c < cells.size() && !values_.is_no(wins); ++c) {
      const bool beaten = std::ranges::any_of(options_of[c], surely_before);
      if (c == own) {
        if (beaten) wins = values_.no();
      } else {
        wins = values_.without(
            wins, beaten_by(cells[c], option->key, beaten ? Beats::at_most : Beats::less));
      }
    }
    branches.push_back(wins);
  }
  const auto [own, winner] = contenders[paths_.follow(branches)];
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto settled = [&, winner = winner](const Option* o) {
      return o == winner || goes_before(precedences_, *winner, *o, first_node);
    };
    if (std::ranges::all_of(options_of[c], settled)) continue;
    if (c != own && !decide(beaten_by(cells[c], winner->key, Beats::equal))) continue;
    for (const Option* o : options_of[c]) {
      if (o != winner) learn_before(precedences_, *winner, *o, first_node);
    }
  }
  return winner->id;
}

}  // namespace cuvier
