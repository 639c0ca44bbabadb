#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hypotheses/axes.h"
#include "solver/cancellation/task.h"

namespace cuvier {

/// Thrown where no hypothesis on this path explains what was observed.
struct DeadEnd {};

/// How far one recording is followed before that is given up. One that tells where blocks went
/// needs less; one that does not may fork at every block.
struct Effort {
  int paths = 50'000;                                              ///< that part from others
  std::int64_t blocks = std::numeric_limits<std::int64_t>::max();  ///< placed on all paths
};

/// What sets of hypotheses are: Bool.
template <class V>
concept SetsOfHypotheses = requires(V& v, const typename V::Bool& set, int n) {
  { v.no() } -> std::convertible_to<typename V::Bool>;
  { v.is_no(set) } -> std::same_as<bool>;
  { v.is_yes(set) } -> std::same_as<bool>;
  { v.both(set, set) } -> std::convertible_to<typename V::Bool>;
  { v.either(set, set) } -> std::convertible_to<typename V::Bool>;
  { v.without(set, set) } -> std::convertible_to<typename V::Bool>;
  { v.has(n, n) } -> std::convertible_to<typename V::Bool>;  // those with the value on the axis
};

/// Sets that are told of whom a path loses, each time: what was observed contradicts these.
template <class V>
concept TakesNote = requires(V& v, const typename V::Bool& set) {
  v.contradicted(set);
};

/// Runs a program once for each way in which some hypotheses take it. Where they part, one
/// branch is followed, with the set of those that take it; the others are come back to from
/// the start.
template <SetsOfHypotheses V>
class Paths {
 public:
  using Bool = typename V::Bool;

  /// Gives up beyond so much effort.
  Paths(V& values, const Effort& most) : values_(values), most_(most) {}

  /// From here on, paths are those of these hypotheses.
  void begin(const Bool& alive) {
    const int paths = walk_.paths;
    walk_ = Walk(alive);
    walk_.paths = paths;
  }

  /// Goes to the start of the next path, if there is one left.
  bool next() {
    if (walk_.begun) {
      if (walk_.to_visit.empty()) return false;
      if (++walk_.paths > most_.paths) give_up(most_.paths, "ways to explain");
      const Fork fork = walk_.to_visit.back();
      walk_.to_visit.pop_back();
      walk_.steps.resize(fork.at);
      walk_.steps.push_back(fork.branch);
      std::erase_if(walk_.parts, [&](const Part& part) { return part.at > fork.at; });
    }
    walk_.begun = true;
    walk_.parts_done = 0;
    walk_.at = 0;
    walk_.alive = walk_.start;
    walk_.resolved = walk_.resolved_at_start;
    return true;
  }

  /// What `work` comes to, which reads and decides but changes nothing. However many ways lead to
  /// an outcome, they are one branch: the hypotheses that come to it.
  template <class Work, class Outcome = std::invoke_result_t<Work>>
  Outcome outcome_of(const Work& work) {
    if (walk_.parts_done == walk_.parts.size()) walk_.parts.push_back(part_of<Outcome>(work));
    const Part& part = walk_.parts[walk_.parts_done++];
    const int branch = follow(part.branches);
    return std::any_cast<const std::vector<Outcome>&>(part.outcomes)[branch];
  }

  /// One block more was placed on this path.
  void count_block() {
    if (++blocks_ > most_.blocks) give_up(most_.blocks, "blocks placed to explain");
  }

  /// The hypotheses that take this path.
  const Bool& alive() const { return walk_.alive; }

  /// Keeps only these of them.
  void keep(const Bool& set) {
    if (values_.is_no(set)) throw DeadEnd();
    if constexpr (TakesNote<V>) values_.contradicted(values_.without(walk_.alive, set));
    walk_.alive = set;
  }

  /// What comes of a branch, and the hypotheses that take it.
  struct Branch {
    int outcome = 0;
    Bool taken_by{};
  };

  /// Follows one of the branches, and says what comes of it. Where this way is still that of one
  /// before it, it is known which, and nobody is asked for them.
  template <class Branches>
  int follow(const Branches& branches_here) {
    if (walk_.at == walk_.steps.size()) take_step(branches_here());
    const Branch& step = walk_.steps[walk_.at++];
    walk_.alive = step.taken_by;
    return step.outcome;
  }
  /// The same, by their numbers.
  int follow(const std::vector<Bool>& taken_by) {
    return follow([&] {
      std::vector<Branch> branches;
      for (const Bool& set : taken_by) branches.push_back({static_cast<int>(branches.size()), set});
      return branches;
    });
  }

  bool decide(const Bool& condition) {
    if (values_.is_yes(condition)) return true;
    return follow([&] { return either(condition); }) == 1;
  }
  /// 1 where it holds, 0 where not.
  std::vector<Branch> either(const Bool& condition) {
    return {{1, values_.both(walk_.alive, condition)},
            {0, values_.without(walk_.alive, condition)}};
  }

  /// The value of the axis on this path.
  int resolve(int axis) {
    int& value = walk_.resolved[axis];
    if (value < 0) {
      value = follow([&] {
        std::vector<Branch> branches;
        for (int v = 0; v < axis_size(axis); ++v) {
          branches.push_back({v, values_.both(walk_.alive, values_.has(axis, v))});
        }
        return branches;
      });
    }
    return value;
  }

  /// Whether the axis has the value on this path.
  bool is(int axis, int value) {
    return walk_.resolved[axis] < 0 ? decide(values_.has(axis, value))
                                    : walk_.resolved[axis] == value;
  }

 private:
  /// What outcome_of() found, for all who come to the same point on their way again.
  struct Part {
    std::size_t at = 0;  ///< how many steps came before
    std::any outcomes;   ///< a vector
    std::vector<Bool> branches;
  };

  /// A branch to be come back to: the steps before it are those of the way at hand.
  struct Fork {
    std::size_t at = 0;
    Branch branch;
  };

  /// The ways from some point on, and the one at hand.
  struct Walk {
    explicit Walk(const Bool& from, const std::array<int, kAxes>& known = unresolved())
        : start(from), alive(from), resolved_at_start(known), resolved(known) {}

    Bool start;
    Bool alive;
    bool begun = false;
    std::vector<Fork> to_visit = {};  ///< the deepest last
    std::vector<Branch> steps = {};   ///< of the way at hand, as far as they are known
    std::size_t at = 0;               ///< the next step
    std::vector<Part> parts = {};     ///< of the way at hand, as far as they are known
    std::size_t parts_done = 0;
    int paths = 0;  ///< that parted from another
    std::array<int, kAxes> resolved_at_start;
    std::array<int, kAxes> resolved;  ///< by axis; -1: not yet on this way
  };

  /// Takes the first branch that any hypothesis takes; the others are come back to.
  void take_step(std::vector<Branch> branches) {
    if constexpr (TakesNote<V>) {
      Bool rest = walk_.alive;
      for (const Branch& branch : branches) rest = values_.without(rest, branch.taken_by);
      values_.contradicted(rest);
    }
    std::erase_if(branches, [&](const Branch& b) { return values_.is_no(b.taken_by); });
    if (branches.empty()) throw DeadEnd();
    for (std::size_t i = branches.size(); i-- > 1;) {
      walk_.to_visit.push_back({walk_.at, branches[i]});
    }
    walk_.steps.push_back(branches[0]);
  }

  static std::array<int, kAxes> unresolved() {
    std::array<int, kAxes> resolved;
    resolved.fill(-1);
    return resolved;
  }

  template <class Outcome>
  Part part_of(const auto& work) {
    std::vector<Outcome> outcomes;
    std::vector<Bool> branches;
    Walk outside = std::exchange(walk_, Walk(walk_.alive, walk_.resolved));
    while (next()) {
      try {
        Outcome outcome = work();
        const auto known = std::ranges::find(outcomes, outcome);
        if (known == outcomes.end()) {
          outcomes.push_back(std::move(outcome));
          branches.push_back(walk_.alive);
        } else {
          Bool& branch = branches[known - outcomes.begin()];
          branch = values_.either(branch, walk_.alive);
        }
      } catch (const DeadEnd&) {
        if constexpr (TakesNote<V>) values_.contradicted(walk_.alive);
      }
    }
    walk_ = std::move(outside);
    return {walk_.at, std::move(outcomes), std::move(branches)};
  }

  [[noreturn]] static void give_up(std::int64_t most, const std::string& of_what) {
    throw GaveUp("more than " + std::to_string(most) + " " + of_what +
                 " one recording: it tells too little of where blocks went");
  }

  V& values_;
  Effort most_;
  Walk walk_{Bool{}};
  std::int64_t blocks_ = 0;
};

}  // namespace cuvier
