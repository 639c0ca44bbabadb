#pragma once

#include <array>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "hypotheses/scheduler.h"
#include "solver/diagram.h"
#include "solver/expectation.h"
#include "solver/precedences.h"
#include "solver/state_pool.h"

namespace cuvier {

/// A T for each hypothesis. Integers and conditions are a diagram's leaves themselves;
/// states are numbers in a StatePool.
template <class T>
struct Lifted {
  Ref ref = 0;
  bool operator==(const Lifted&) const = default;
};

/// What an exploration holds between recordings: the diagrams and the states their leaves name.
struct Workspace {
  Diagrams diagrams;
  StatePool<WarpFile<Concrete>> warp_files;
  StatePool<SharedMemory<Concrete>> shared_memories;
};

/// Thrown where no hypothesis on this path explains what was observed.
struct DeadEnd {};

/// A solver gave up: too many paths. The message names what it worked on.
class GaveUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The reading of the scheduler (hypotheses/scheduler.h) by all hypotheses at once. Rules of
/// one SM are evaluated for all combinations of the axes that they read, as diagrams. Where
/// hypotheses part in what is done next, the exploration follows one branch at a time, with
/// the set of those that take it, and comes back for the others. Observations cut off every
/// branch that contradicts them.
class Exploration {
 public:
  using Int = Lifted<int>;
  using Bool = Lifted<bool>;
  using Warps = Lifted<WarpFile<Concrete>>;
  using Shared = Lifted<SharedMemory<Concrete>>;

  /// `care`: the hypotheses that may be asked about at all.
  Exploration(const Device& device, Workspace& workspace, const Expectation& expectation,
              Ref care);

  // -- paths ----------------------------------------------------------------

  /// From here on, paths are those of these hypotheses.
  void begin(Ref alive, const Precedences& precedences);
  /// Goes to the start of the next path, if there is one left.
  bool next_path();
  Ref alive() const { return alive_; }
  const Precedences& precedences() const { return precedences_; }
  int paths() const { return paths_; }

  void begin_step(int step) { step_ = step; started_on_.clear(); }

  void end_step(int kernels);

  /// Keeps only hypotheses for which the value is `expected`.
  void require_equal(Int value, int expected);

  // -- what the scheduler asks for --------------------------------------------

  Warps idle_warps();
  Shared idle_shared();
  Int constant(int value) { return {diagrams_.constant(value)}; }
  Bool never() const { return {diagrams_.no()}; }

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    return apply_rule(rule, typename Rule::Axes{}, states...);
  }

  bool decide(Bool condition);

  template <class A>
  typename A::Value resolve() {
    return static_cast<typename A::Value>(resolve_axis(index_of<A>()));
  }

  template <class Candidates>
  bool any(const Candidates& candidates) {
    Ref some = diagrams_.no();
    bool allowed = false;
    for (const auto& c : candidates) {
      some = diagrams_.either(some, c.eligible.ref);
      allowed = allowed || c.allowed;
    }
    return allowed ? decide({some}) : waits_beside({some});
  }

  template <class Candidates>
  int pick(const Candidates& candidates, int first_node) {
    return pick_option(options_of(candidates), first_node);
  }

  template <class Candidates>
  const typename Candidates::value_type* at_cursor(const Candidates& candidates) {
    const std::vector<Option> options = options_of(candidates);
    const int at = order_unknown() ? find_cursor(options) : first_in_order(options);
    return at < 0 ? nullptr : &candidates[at];
  }

  const std::vector<int>& sm_ranks();
  std::vector<int> group_ranks(const std::vector<std::vector<int>>& groups);
  int rank_after(const std::vector<int>& ranks, int id, int cursor, int skip, int first_node);

  bool may_place(int kernel, int, int sm) {
    return expectation_.allows(step_, kernel, started_on_[kernel], sm);
  }
  void placed(int kernel, int block, int sm, const Warps& warps);

 private:
  struct Option {
    int id;
    Ref eligible;
    Ref key;
    int rank;
    bool allowed;
  };

  /// Options that no hypothesis tells apart but by their rank.
  struct Cell {
    Ref eligible;
    Ref key;
    std::vector<const Option*> options;  ///< by rank
  };

  template <class Candidates>
  static std::vector<Option> options_of(const Candidates& candidates) {
    std::vector<Option> options;
    options.reserve(candidates.size());
    for (const auto& c : candidates) {
      options.push_back({c.id, c.eligible.ref, c.key.ref, c.rank, c.allowed});
    }
    return options;
  }

  template <class Rule, class... Axes, class... States>
  auto apply_rule(const Rule& rule, AxisList<Axes...>, const States&... states);

  const WarpFile<Concrete>& state(int number, const Warps&) const {
    return workspace_.warp_files[number];
  }
  const SharedMemory<Concrete>& state(int number, const Shared&) const {
    return workspace_.shared_memories[number];
  }
  int state(int number, const Int&) const { return number; }
  bool state(int number, const Bool&) const { return number != 0; }

  int leaf_of(int value) { return value; }
  int leaf_of(bool value) { return value; }
  int leaf_of(WarpFile<Concrete> file) { return workspace_.warp_files.intern(std::move(file)); }
  int leaf_of(SharedMemory<Concrete> memory) {
    return workspace_.shared_memories.intern(std::move(memory));
  }

  /// Which of the branches (hypotheses that take each) to follow here.
  int follow(const std::vector<Ref>& branches);
  int resolve_axis(int axis);
  void keep(Ref set);
  /// Where the block was seen to wait: false if nothing is eligible, true for those that let
  /// it wait all the same.
  bool waits_beside(Bool some_eligible);
  int pick_option(const std::vector<Option>& options, int first_node);
  int pick_in_unknown_order(const std::vector<Option>& options, int first_node);
  static int first_in_order(const std::vector<Option>& options);
  /// The option that a cursor in an unknown order is on, as far as what was observed says;
  /// -1 where it is only known that the block waits.
  int find_cursor(const std::vector<Option>& options);
  std::vector<Cell> cells_of(const std::vector<Option>& options) const;
  /// Where the cell's options are eligible and their key beats the option's.
  Ref beaten_by(const Cell& cell, const Option& option, int how);
  bool order_unknown() { return sm_ranks().empty(); }
  Ref where(Ref care, int leaf);

  const Device& device_;
  Workspace& workspace_;
  Diagrams& diagrams_;
  const Expectation& expectation_;
  Ref warp_care_;    ///< the hypotheses asked about, as far as a WarpFile shows them
  Ref shared_care_;  ///< likewise for a SharedMemory

  Ref start_ = 0;
  Precedences known_at_start_;
  std::vector<std::vector<int>> to_visit_;  ///< decisions that lead to paths not yet followed
  std::vector<int> decisions_;              ///< of the path at hand, as far as they are given
  std::size_t decided_ = 0;
  int paths_ = 0;
  Ref alive_ = 0;
  Precedences precedences_;
  std::array<int, kAxes> resolved_{};  ///< by axis; -1: not yet on this path

  int step_ = 0;
  std::unordered_map<int, std::vector<int>> started_on_;  ///< in this step, by kernel
  std::array<std::vector<int>, 8> named_ranks_;           ///< by TieBreak value

  struct HashKey {
    std::size_t operator()(const std::array<std::size_t, 7>& key) const {
      std::size_t hash = 0;
      for (const std::size_t part : key) hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
      return hash ^ hash >> 31;
    }
  };
  std::unordered_map<std::array<std::size_t, 7>, Ref, HashKey> applied_;
};

template <class Rule, class... Axes, class... States>
auto Exploration::apply_rule(const Rule& rule, AxisList<Axes...>, const States&... states) {
  using Result = decltype(rule(std::declval<Concrete>(), state(0, states)...));
  static_assert(sizeof...(States) <= 5);
  std::array<std::size_t, 7> key{typeid(Rule).hash_code(), static_cast<std::size_t>(rule.id)};
  int at = 2;
  ((key[at++] = static_cast<std::size_t>(states.ref) + 1), ...);
  if (const auto found = applied_.find(key); found != applied_.end()) {
    return Lifted<Result>{found->second};
  }
  const std::array<Ref, sizeof...(States) + sizeof...(Axes)> operands{
      states.ref..., diagrams_.axis(index_of<Axes>())...};
  Ref result = diagrams_.apply(operands, [&](const auto& values) {
    Hypothesis hypothesis;
    int next = sizeof...(States);
    ((hypothesis.values[index_of<Axes>()] = static_cast<std::uint8_t>(values[next++])), ...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return leaf_of(rule(Concrete{hypothesis}, state(values[I], states)...));
    }(std::index_sequence_for<States...>{});
  });
  if constexpr (std::is_same_v<Result, bool>) result = diagrams_.settled(result);
  applied_.emplace(key, result);
  return Lifted<Result>{result};
}

}  // namespace cuvier
