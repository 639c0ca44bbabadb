#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "hypotheses/fast/rule_memo.h"
#include "hypotheses/fast/state_pool.h"
#include "hypotheses/readings/concrete.h"
#include "hypotheses/readings/single_reading.h"

namespace cuvier {

/// A state of an SM, by its number in a pool.
template <class State>
struct Numbered {
  int number = 0;
  bool operator==(const Numbered&) const = default;
  std::size_t hash() const { return static_cast<std::size_t>(number); }
};

/// The concrete reading of the scheduler: one hypothesis, integers. SMs of one history are in one
/// state, which has a number; a rule is evaluated once for each state of a probe. Here nothing
/// happens that nobody controls; who derives from it says so, and what becomes of placed blocks.
class ConcreteReading : public SingleReading {
 public:
  using Int = int;
  using Bool = bool;
  using Warps = Numbered<WarpFile<Concrete>>;
  using Shared = Numbered<SharedMemory<Concrete>>;

  explicit ConcreteReading(SingleReading single) : SingleReading(std::move(single)) {
    number_of(WarpFile<Concrete>{});
    number_of(SharedMemory<Concrete>{});
  }

  void begins() { results_.clear(); }

  Warps idle_warps() const { return {}; }
  Shared idle_shared() const { return {}; }
  int constant(int value) const { return value; }
  bool never() const { return false; }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    return apply_under(hypothesis(), rule, states...);
  }

  /// What the rule makes of the states, without remembering it: for kernels of no probe.
  template <class Rule, class... States>
  auto what_if(const Rule& rule, const States&... states) const {
    return evaluate(rule, Concrete{hypothesis()}, state(states)...);
  }

  /// Calls `f(rule)` for what rules that read one of these axes made in this probe, where another
  /// hypothesis, which `another(rule, operands)` names, makes something else of it.
  void for_each_made_otherwise(std::uint64_t axes, const auto& another, const auto& f) const {
    results_.for_each([&]<class Rule>(const Rule& rule, const auto& operands, int result) {
      if constexpr (bits(typename Rule::Axes{}) != 0) {
        if ((bits(typename Rule::Axes{}) & axes) != 0 &&
            !makes(another(rule, operands), rule, &Rule::template operator()<Concrete>, operands,
                   result)) {
          f(rule);
        }
      }
    });
  }

  bool decide(bool condition) const { return condition; }
  bool certain(bool condition) const { return condition; }

  using Options = Tournament;
  using Members = std::vector<Option<int, bool>>;  ///< few

  bool any(const Options& options) const { return options.any(); }
  int pick(const Options& options, int, const Entry& entry, const auto&) const {
    return options.least(entry);
  }
  const Option<int, bool>& at_cursor(const Options& options, const Entry& entry) const {
    return options.first(entry);
  }
  using SingleReading::at_cursor;
  bool any(const Members& members) const {
    return std::ranges::any_of(members, &Option<int, bool>::eligible);
  }
  int pick(const Members& members, int, const Entry& entry, const auto&) const {
    const auto order = [&](const Option<int, bool>& o) {
      return std::tuple(!o.eligible, o.key, entry.turn(o.rank));
    };
    return std::ranges::min_element(members, {}, order)->id;
  }

  int pick_ranked(const Members& members, const Entry& entry, const auto& allowed) const {
    return pick(members, 0, entry, allowed);
  }
  bool decide_as_seen(bool condition, bool) const { return condition; }

  bool another_joins(int, int, int) const { return false; }
  bool counts_late(int, int, int, int) const { return false; }

  /// The number here of another one's state.
  template <class State>
  Numbered<State> taken_over(const ConcreteReading& other, Numbered<State> state) {
    return {number_of(other.state(state))};
  }

  /// Whether a state here and one of another are equal.
  bool is_equal(Warps warps, const ConcreteReading& other, Warps others) const {
    return state(warps) == other.state(others);
  }

  /// How many states there are, of warps or shared memory.
  int states() const { return std::max(warp_files_.size(), shared_memories_.size()); }

  bool has_many_states() const { return states() > 2048; }

  /// Where there are many states, forgets all but those of these warp files. Their numbers then.
  std::vector<Warps> renew(std::vector<Warps> files) {
    if (!has_many_states()) return files;
    const ConcreteReading before = std::exchange(*this, ConcreteReading(SingleReading(*this)));
    for (Warps& file : files) file = taken_over(before, file);
    return files;
  }

 protected:
  template <class Rule, class... States>
  auto apply_under(const Hypothesis& hypothesis, const Rule& rule, const States&... states) {
    using Result = decltype(evaluate(rule, Concrete{hypothesis}, state(states)...));
    // What depends on numbers alone is made again sooner than found.
    constexpr bool numbers = (std::is_arithmetic_v<States> && ...);
    if constexpr (numbers && bits(typename Rule::Axes{}) == 0) {
      return evaluate(rule, Concrete{hypothesis}, states...);
    } else {
      const int result =
          results_.recall(rule, std::array<int, sizeof...(States)>{number(states)...}, [&] {
            note(typename Rule::Axes{});
            return number_of(evaluate(rule, Concrete{hypothesis}, state(states)...));
          });
      if constexpr (std::is_arithmetic_v<Result>) {
        return static_cast<Result>(result);
      } else {
        return Numbered<Result>{result};
      }
    }
  }

  const WarpFile<Concrete>& state(Warps warps) const { return warp_files_[warps.number]; }

  static int number(int value) { return value; }
  template <class State>
  static int number(Numbered<State> state) {
    return state.number;
  }

 private:
  /// Whether the hypothesis makes that of operands which, as the result, are given by number.
  template <class Rule, class Result, class Axes, class... States>
  bool makes(const Hypothesis& other, const Rule& rule,
             Result (Rule::*)(const Axes&, States...) const, const auto& operands,
             int result) const {
    const auto at = operands.begin();
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return evaluate(rule, Concrete{other}, numbered<std::remove_cvref_t<States>>(at[i])...) ==
             numbered<Result>(result);
    }
    (std::index_sequence_for<States...>{});
  }

  template <class State>
  decltype(auto) numbered(int number) const {
    if constexpr (std::is_arithmetic_v<State>) {
      return static_cast<State>(number);
    } else {
      return state(Numbered<State>{number});
    }
  }

  const SharedMemory<Concrete>& state(Shared shared) const {
    return shared_memories_[shared.number];
  }
  static int state(int value) { return value; }
  static int number_of(int value) { return value; }
  int number_of(WarpFile<Concrete> file) { return warp_files_.intern(std::move(file)); }
  int number_of(SharedMemory<Concrete> memory) {
    return shared_memories_.intern(std::move(memory));
  }

  StatePool<WarpFile<Concrete>> warp_files_;
  StatePool<SharedMemory<Concrete>> shared_memories_;
  RuleMemo<int> results_;
};

}  // namespace cuvier
